/** What the service says, as far as the page reads it. Anything may be missing in runs of older versions. */

export type Data = Record<string, any>;

export interface ErrorTold {
  code: string;
  message: string;
  hint?: string;
  evidence?: Data;
}

export interface PlanNode {
  action_id: string;
  goal_id: string;
  name: string;
  description: string;
  args: Data;
  action_class: string;
  approval: string;
  lane: string;
}

export interface Plan {
  nodes: PlanNode[];
  edges: [string, string][];
  layers: string[][];
}

export interface StepResult {
  status: string;
  effect: string;
  output: Data;
  evidence: Data;
  error: ErrorTold | null;
  undo?: string;
  note?: string;
  artifacts?: string[];
  tainted?: Record<string, string[]>;
  ms: number;
}

export interface StepLog {
  action_id: string;
  goal_id: string;
  name: string;
  description: string;
  summary?: string;
  args?: Data;
  origins?: { kind: string; place: string }[];
  result: StepResult;
}

export interface RunRecord {
  run_id: string;
  session: string;
  status: 'waiting' | 'running' | 'ended' | string;
  outcome?: string;
  reply?: string;
  question?: string;
  expects_reply?: boolean;
  began_at?: string;
  ended_at?: string;
  door?: string;
  request?: Data;
  /** The whole order, where the service still has it. */
  order?: Data;
  plan?: Plan;
  step_logs?: StepLog[];
  errors?: ErrorTold[];
  metrics?: Record<string, number>;
  diff_preview?: Change[];
}

export interface Change {
  id: string;
  text: string;
  digest: string;
  operation?: Data;
  diff?: string;
  note?: string;
}

export interface OpenQuestion {
  question_id: string;
  /** Name of who asks; empty or missing for oneself. */
  asker?: string;
  /** Whether a yes from here is refused. */
  needs_person?: boolean;
  digest: string;
  kind: 'confirm' | 'slot' | 'disambiguate';
  session: string;
  run_id: string;
  prompt: string;
  approval: string;
  choices: string[];
  operation: Data;
  diff: string;
  expires_in_s: number;
}

export interface SessionRecord {
  name: string;
  running: string[];
  questions: number;
  pages: string[];
  idle_s: number;
}

export interface Artifact {
  artifact_id: string;
  name: string;
  media_type: string;
  size: number;
  sha256: string;
  run_id: string;
  action_id: string;
}

export interface RunEvent extends Data {
  event: string;
  run_id: string;
  seq: number;
  at_ms: number;
}

/** What is known of one step of a run that is shown. */
export interface StepState {
  action_id: string;
  number: number;
  name: string;
  description: string;
  approval: string;
  /** planned, asking, started, or the status of its result. */
  status: string;
  effect: string;
  output: Data;
  evidence: Data;
  error: ErrorTold | null;
  summary: string;
  undo: string;
  note: string;
  args: Data;
  origins: { kind: string; place: string }[];
  tainted: Record<string, string[]>;
  ms: number;
}

/** What is known of a run that is shown. */
export interface RunState {
  run_id: string;
  plan: Plan | null;
  steps: Map<string, StepState>;
  /** Position of the last event. */
  seq: number;
  at_ms: number;
  outcome: string;
  reply: string;
  question: string;
  errors: ErrorTold[];
  ended: boolean;
  /** Whether a person has the page. */
  held: boolean;
  notes: string[];
}

/** Where a node of the graph stands, in cells. */
export interface Cell {
  column: number;
  row: number;
}

export interface Placed {
  cells: Map<string, Cell>;
  columns: number;
  rows: number;
  /** The cells that each edge goes through, its ends included. */
  ways: { from: string; to: string; cells: Cell[] }[];
}

/**
 * Puts the scripts that are sent to pages together: `python3 scripts/engine.py build`.
 *
 * The selector engine comes in chunks (`CHUNKS`), each of which takes what it needs from those before it: `core` is read at the first selector, `more` and `outline`
 * when something in them is asked for, `recording` is sent only while somebody records. `shell` holds the others. `context` runs in every
 * document before the page's own scripts. They are minified and ASCII. With `--check` nothing is written: it ends with 1 if what is kept is not what would be made.
 * With `--place core.js:12:345 …` it tells where in the sources such a place of what was built is.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import ts from 'typescript';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const HOME = path.join(ROOT, 'actuators/browser/playwright');
const ENGINE = path.join(HOME, 'engine');
const [CONTEXT, BUILT] = ['context', 'built'].map((name) => path.join(ENGINE, name));
/** The folders of each chunk, in the order in which they build on each other; the last one has its `main.ts`. */
const CHUNKS = Object.entries({
  core: ['names', 'acting', 'finding', '.'],
  more: ['looks', 'values', 'controls', 'choosing', 'more'],
  outline: ['selectors', 'things', 'outline'],
  recording: ['recording'],
}).map(([name, folders]) => /** @type {[string, string[]]} */ ([name, folders.map((folder) => path.join(ENGINE, folder))]));
const MEMBERS = new Set(JSON.parse(readFileSync(path.join(ENGINE, 'members.json'), 'utf8')));
const WIDEST = 200; // characters of a line in what is made, so that a change shows as a few lines

/** @param {string} file */
const parse = (file) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
/** @param {string} text */
const escape = (text) => text.replace(/[^\x00-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
/** @param {string} folder */
const listModules = (folder) => readdirSync(folder).filter((name) => /(?<!\.d)\.ts$/.test(name)).sort().map((name) => path.join(folder, name));

/**
 * Where a module reads members of nodes that a page may have named.
 * @param {ts.SourceFile} source
 */
function listMembers(source) {
  /** @type {{ from: number, to: number, name: string, isOptional: boolean }[]} */
  const found = [];
  /** @param {ts.Node} node */
  const walk = (node) => {
    if (ts.isPropertyAccessExpression(node) && MEMBERS.has(node.name.text)) {
      found.push({ from: node.expression.end, to: node.name.end, name: node.name.text, isOptional: Boolean(node.questionDotToken) });
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found.sort((one, other) => other.from - one.from);
}

/** @param {{ name: string }[]} found */
const symbolsOf = (found) => [...new Set(found.map(({ name }) => `$${name}`))].sort();

/**
 * Reads members of nodes past what the page has named: `element.id` becomes `element[$id]`. Lines stay what they are.
 * @param {string} file
 */
function readPast(file) {
  const source = parse(file);
  const found = listMembers(source);
  let text = source.text;
  for (const { from, to, name, isOptional } of found) text = `${text.slice(0, from)}${isOptional ? '?.' : ''}[$${name}]${text.slice(to)}`;
  const names = symbolsOf(found);
  return escape(text) + (names.length ? `\nimport { ${names.join(', ')} } from 'members';` : '');
}

/**
 * The names that a module exports.
 * @param {string} file
 */
function listExports(file) {
  return parse(file).statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement) || !ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isFunctionDeclaration(statement)) return [statement.name?.text ?? ''];
    if (!ts.isVariableStatement(statement)) return [];
    // What is evaluated later takes the values once.
    if (!(statement.declarationList.flags & ts.NodeFlags.Const)) throw new Error(`${file} exports what changes: ${statement.getText()}`);
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text]
      : name.elements.flatMap((each) => (ts.isBindingElement(each) && ts.isIdentifier(each.name) ? [each.name.text] : []))));
  });
}

/**
 * The place among the chunks of a module; -1 for what is in none.
 * @param {string} file
 */
const placeOf = (file) => CHUNKS.findIndex(([, folders]) => folders.includes(path.dirname(file)));

/**
 * What chunks take from earlier ones, by module; a chunk offers nothing else to them.
 * @param {string[]} folders
 * @returns {Map<string, Set<string>>}
 */
function listShared(folders) {
  /** @type {Map<string, Set<string>>} */
  const shared = new Map();
  for (const file of folders.flatMap(listModules)) {
    for (const statement of parse(file).statements) {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
      const from = path.resolve(path.dirname(file), statement.moduleSpecifier.text);
      const bindings = statement.importClause?.namedBindings;
      if (statement.importClause?.isTypeOnly || placeOf(from) < 0 || placeOf(from) >= placeOf(file) || !bindings || !ts.isNamedImports(bindings)) continue;
      if (!shared.has(from)) shared.set(from, new Set());
      for (const { name, propertyName, isTypeOnly } of bindings.elements) if (!isTypeOnly) shared.get(from)?.add((propertyName ?? name).text);
    }
  }
  return shared;
}

/**
 * Refuses circles, names that two modules export, and imports of what is evaluated later.
 * @param {Record<string, { imports: { path: string }[] }>} inputs
 */
function checkModules(inputs) {
  /** @type {Map<string, string>} */
  const owners = new Map();
  for (const file of CHUNKS.flatMap(([, folders]) => folders).flatMap(listModules)) {
    for (const name of file.endsWith('main.ts') ? [] : listExports(file)) {
      if (owners.has(name)) throw new Error(`${name} is exported by ${owners.get(name)} and ${file}`);
      owners.set(name, file);
    }
  }
  const done = new Set();
  /**
   * @param {string} file
   * @param {string[]} way
   */
  const visit = (file, way) => {
    if (way.includes(file)) throw new Error(`modules import each other: ${[...way.slice(way.indexOf(file)), file].join(' > ')}`);
    if (done.has(file)) return;
    for (const each of inputs[file]?.imports ?? []) {
      if (placeOf(path.join(HOME, file)) >= 0 && placeOf(path.join(HOME, each.path)) > placeOf(path.join(HOME, file))) throw new Error(`${file} imports ${each.path}`);
      visit(each.path, [...way, file]);
    }
    done.add(file);
  };
  for (const file of Object.keys(inputs)) visit(file, []);
}

/**
 * What later chunks take from a chunk, each with its module, in the order in which it is handed on: by its place, so that no name is sent.
 * @param {number} chunk
 * @returns {[string, string][]}
 */
const listTaken = (chunk) => [...listShared(CHUNKS.slice(chunk + 1).flatMap(([, folders]) => folders))].filter(([file]) => placeOf(file) === chunk)
  .flatMap(([file, names]) => [...names].map((name) => /** @type {[string, string]} */ ([name, file]))).sort();

const memberNames = [...MEMBERS].map((name) => `$${name}`);

/**
 * What a chunk gives: to those who ask it, and to later chunks.
 * @param {number} chunk
 */
function writeEntry(chunk) {
  const main = path.join(CHUNKS[chunk][1].at(-1) ?? '', 'main.ts');
  const passedOn = parse(main).statements.flatMap((each) => (ts.isExportDeclaration(each) && each.exportClause && ts.isNamedExports(each.exportClause)
    ? each.exportClause.elements.map(({ name }) => name.text) : []));
  const own = [...passedOn, ...listExports(main)].map((name) => [name, main]);
  if (!chunk) own.push(['provideChunks', path.join(ENGINE, 'later.ts')], ['members', 'members']);
  const imports = new Map([...listTaken(chunk), ...own].map(([name, file]) => [name, `import { ${name} } from '${file}';`]));
  return `${[...imports.values()].join('\n')}\nmade = { ${own.map(([name]) => name).sort().join(', ')}, taken: [${listTaken(chunk).map(([name]) => name).join(', ')}] };`;
}

/**
 * @param {string} artefact
 * @returns {import('esbuild').Plugin}
 */
const modules = (artefact) => ({
  name: 'modules',
  setup(plugins) {
    const chunk = CHUNKS.findIndex(([name]) => name === artefact);
    const folders = CHUNKS[chunk]?.[1] ?? [];
    const taken = listShared(folders);
    plugins.onResolve({ filter: /^(members|entry)$/ }, ({ path: name }) => ({ path: name, namespace: 'made' }));
    plugins.onResolve({ filter: /\.ts$/ }, ({ path: name, resolveDir }) => {
      const place = placeOf(path.resolve(resolveDir, name));
      return place >= 0 && place < chunk ? { path: path.relative(HOME, path.resolve(resolveDir, name)).replaceAll('\\', '/'), namespace: 'taken' } : undefined;
    });
    plugins.onLoad({ filter: /^entry$/, namespace: 'made' }, () => ({
      resolveDir: ENGINE, contents: chunk < 0 ? "import { engine } from './shell.ts';\nmade = engine;" : writeEntry(chunk),
    }));
    const used = symbolsOf(folders.flatMap(listModules).flatMap((file) => listMembers(parse(file))));
    plugins.onLoad({ filter: /^members$/, namespace: 'made' }, () => ({ resolveDir: ENGINE, contents: chunk > 0
      ? `export const { ${used.map((name) => `${memberNames.indexOf(name)}: ${name}`).join(', ')} } = CHUNK('core').members;`
      : ["import { past } from './past.ts';", ...[...MEMBERS].map((name) => `export const $${name} = past('${name}');`),
        `export const members = [${memberNames.join(', ')}];`].join('\n') }));
    plugins.onLoad({ filter: /./, namespace: 'taken' }, ({ path: file }) => {
      const from = placeOf(path.join(HOME, file)), names = [...(taken.get(path.join(HOME, file)) ?? [])].sort();
      const given = listTaken(from).map(([name]) => name);
      return { contents: `export const { ${names.map((name) => `${given.indexOf(name)}: ${name}`).join(', ')} } = CHUNK('${CHUNKS[from][0]}').taken;` };
    });
    plugins.onLoad({ filter: /\.ts$/, namespace: 'file' }, ({ path: file }) => ({
      loader: 'ts',
      contents: chunk >= 0 && !file.endsWith('past.ts') ? readPast(file) : escape(readFileSync(file, 'utf8')),
    }));
  },
});

/** @type {Record<string, { entry: string, takes: string }>} */
const ARTEFACTS = {
  ...Object.fromEntries(CHUNKS.map(([name]) => [name, { entry: 'entry', takes: '(SETTINGS, CHUNK)' }])),
  context: { entry: path.join(CONTEXT, 'main.ts'), takes: '(SETTINGS)' },
  shell: { entry: 'entry', takes: '(CHUNKS, SETTINGS)' },
};

/**
 * @param {string} name
 * @returns {Promise<Record<string, string>>}
 */
async function make(name) {
  const { entry, takes } = ARTEFACTS[name];
  const outfile = path.join(BUILT, `${name}.js`);
  const { outputFiles, metafile } = await build({
    entryPoints: [entry], outfile, bundle: true, write: false, minify: true, format: 'iife', charset: 'ascii',
    legalComments: 'none', lineLimit: WIDEST, target: 'esnext', sourcemap: 'external', sourcesContent: false, metafile: true, absWorkingDir: HOME,
    banner: { js: `(${takes}=>{let made;` }, footer: { js: 'return made})' }, plugins: [modules(name)], logLevel: 'error',
  });
  checkModules(metafile.inputs);
  return Object.fromEntries(outputFiles.map(({ path: file, text }) => [path.basename(file), text]));
}

/** One digest of all that the scripts are made of, so that a test knows without any of these tools whether they are of this tree. */
function digestSources() {
  const digest = createHash('sha256');
  const files = [...[...CHUNKS.flatMap(([, folders]) => folders), CONTEXT].flatMap(listModules), path.join(ENGINE, 'members.json'), fileURLToPath(import.meta.url)];
  for (const file of files) digest.update(readFileSync(file, 'utf8').replaceAll('\r\n', '\n'));
  return `${digest.digest('hex')}\n`;
}

/**
 * Where in the sources a place of what was built is: `core.js:12:345` becomes `engine/later.ts:40 findLater`. Maps are made for it, and not kept.
 * @param {string} place
 */
async function find(place) {
  const [script, line, column] = place.split(':');
  maps[script] ??= new SourceMap(JSON.parse((await make(path.parse(script).name))[`${script}.map`]));
  const entry = maps[script].findEntry(Number(line) - 1, Number(column) - 1);
  const file = 'originalSource' in entry ? path.resolve(BUILT, entry.originalSource) : '';
  if (!('originalLine' in entry) || !existsSync(file)) return 'unknown';
  const above = readFileSync(file, 'utf8').split('\n').slice(0, entry.originalLine + 1);
  const declared = above.findLast((text) => DECLARED.test(text));
  return `${path.relative(HOME, file).replaceAll('\\', '/')}:${entry.originalLine + 1} ${DECLARED.exec(declared ?? '')?.[1] ?? ''}`.trimEnd();
}

const DECLARED = /^(?:export )?(?:async )?(?:function|const|let) (\w+)/;
/** @type {Record<string, SourceMap>} */
const maps = {};

/** Makes all, and writes or checks it. */
async function renew() {
  /** @type {Record<string, string>} */
  const files = { 'sources.sha256': digestSources() };
  for (const name of Object.keys(ARTEFACTS)) files[`${name}.js`] = (await make(name))[`${name}.js`];
  const stale = Object.entries(files).filter(([name, text]) => !existsSync(path.join(BUILT, name)) || readFileSync(path.join(BUILT, name), 'utf8') !== text);
  if (process.argv.includes('--check')) {
    if (stale.length) console.error(`not made from these sources: ${stale.map(([name]) => name).join(', ')}. Run: python3 scripts/engine.py build`);
    process.exitCode = stale.length ? 1 : 0;
  } else {
    mkdirSync(BUILT, { recursive: true });
    for (const [name, text] of stale) writeFileSync(path.join(BUILT, name), text);
  }
  for (const [name, text] of Object.entries(files)) if (name.endsWith('.js')) console.log(`${name.padEnd(12)} ${text.length} bytes`);
}

if (process.argv[2] === '--place') for (const place of process.argv.slice(3)) console.log(place, await find(place));
else await renew();

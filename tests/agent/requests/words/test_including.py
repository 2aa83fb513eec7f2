from pathlib import Path

import pytest

from agent.requests.flows import Flow, load_flow, parse_flow
from agent.requests.words.flow_files import SentFiles
from core.base.errors import FlowError
from core.goals.references import Reference

LOGIN = """name: Sign in
vars: {site: "http://127.0.0.1", user: ada}
goals:
  - browser.navigate: {url: "${site}/signin"}
  - id: welcome
    browser.read: {target: text, selector: "text=${user}"}
"""


def write(folder: Path, **files: str) -> Path:
    """Write files, each with its name; return the first."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / f"{next(iter(files))}.yaml"


def find_fault(path: Path) -> FlowError:
    with pytest.raises(FlowError) as caught:
        load_flow(path)
    return caught.value


def list_goals(flow: Flow) -> list[tuple[str, dict[str, object], str]]:
    return [(goal.name, dict(goal.params), goal.scope) for goal in flow.goals]


def test_the_goals_of_an_included_flow_stand_in_its_place_and_what_comes_after_waits_for_them(tmp_path: Path) -> None:
    text = "goals:\n  - include: login.yaml\n  - browser.click: {selector: css=a}\n"
    flow = load_flow(write(tmp_path, top=text, login=LOGIN))
    assert list_goals(flow) == [
        ("browser.navigate", {"url": "http://127.0.0.1/signin"}, "root"),
        ("browser.read", {"target": "text", "selector": "text=ada"}, "after:g0"),
        ("browser.click", {"selector": "css=a"}, "after:g1"),
    ]
    assert [goal.groups for goal in flow.goals] == [("Sign in",), ("Sign in",), ()]


def test_an_included_flow_gets_values_for_its_variables_and_its_names_stand_behind_the_id(tmp_path: Path) -> None:
    text = (
        "vars: {who: bob}\ngoals:\n  - id: login\n    include: {flow: login.yaml, vars: {user: '${who}'}}\n"
        "  - browser.expect: {text: '${login.welcome.text}'}\n  - browser.read: {target: title}\n    scope: after:login\n"
        "  - browser.read: {target: url}\n    scope: after:login.welcome\n"
    )
    flow = load_flow(write(tmp_path, top=text, login=LOGIN))
    assert flow.goals[1].params["selector"] == "text=bob"
    assert flow.goals[2].params["text"] == Reference("g1", "text")
    assert [goal.scope for goal in flow.goals[3:]] == ["after:g1", "after:g1"]


def test_files_are_found_beside_the_file_that_names_them_also_in_the_workspace(tmp_path: Path) -> None:
    flow = write(
        tmp_path / "flows",
        top="goals:\n  - include: parts/one.yaml\n  - include: workspace:/shared/two.yaml\n",
        parts__one="goals:\n  - include: two.yaml\n",
        parts__two="goals:\n  - a.b: {x: near}\n",
    )
    write(tmp_path, shared__two="goals:\n  - a.b: {x: far}\n")
    assert [goal.params["x"] for goal in load_flow(flow, workspace=tmp_path).goals] == ["near", "far"]


def test_an_error_in_an_included_flow_has_the_place_in_its_own_file(tmp_path: Path) -> None:
    path = write(tmp_path, top="goals:\n  - include: login.yaml\n", login="goals:\n  - a.b: {}\n    scoep: root\n")
    error = find_fault(path)
    assert error.message.startswith(f"{tmp_path / 'login.yaml'}:3:5: unknown key")
    assert error.evidence == {"file": str(tmp_path / "login.yaml"), "line": 3, "column": 5}


def test_an_error_of_planning_has_the_place_in_the_included_file(tmp_path: Path) -> None:
    flow = load_flow(write(tmp_path, top="goals:\n  - include: login.yaml\n", login=LOGIN))
    located = flow.locate(1, "no.", params=["selector"])
    assert located.evidence == {"file": str(tmp_path / "login.yaml"), "line": 6, "column": 34}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("include: nothing.yaml", "can't be read: No such file or directory."),
        ("include: /etc/hostname", "is not a file beside the flow"),
        ("include: ~/x.yaml", "is not a file beside the flow"),
        ("include: 'C:\\x.yaml'", "is not a file beside the flow"),
        ("include: ../outside.yaml", "lies outside the folder of the flow and the workspace"),
        ("include: link.yaml", "lies outside the folder of the flow and the workspace"),
        ("include: top.yaml", '"top.yaml" includes itself'),
        ("include: back.yaml", '"top.yaml" includes itself'),
        ("include: {flow: login.yaml, vars: {usre: x}}", 'the flow has no variable "usre" (did you mean "user"?)'),
        ("include: {flow: login.yaml, vars: {user: 2}}", 'the variable "user" is text in the flow, and 2 is not.'),
        ("include: {vars: {}}", "include needs flow."),
        ("{include: login.yaml, retry: 3}", "include can't be tried again as a whole"),
        ("{include: login.yaml, group: x}", "an entry is one of group, repeat, include"),
    ],
)
def test_what_can_t_be_included_is_refused_with_its_place(tmp_path: Path, line: str, words: str) -> None:
    inner = tmp_path / "flows"
    path = write(inner, top=f"goals:\n  - {line}\n", login=LOGIN, back="goals:\n  - include: top.yaml\n")
    (tmp_path / "outside.yaml").write_text(LOGIN)
    (inner / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    error = find_fault(path)
    assert words in error.message
    assert error.evidence["line"] == 2


def test_flows_are_not_included_too_deep_or_too_often(tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"f{number}.yaml").write_text(f"goals:\n  - include: f{number + 1}.yaml\n")
    assert find_fault(tmp_path / "f0.yaml").code == "too_large"
    many = "".join("  - include: login.yaml\n" for _ in range(101))
    error = find_fault(write(tmp_path, top=f"goals:\n{many}", login=LOGIN))
    assert (error.code, error.evidence["line"]) == ("too_large", 102)


def test_an_included_flow_narrows_what_the_run_may_touch_and_never_widens_it(tmp_path: Path) -> None:
    top = "policy: {hosts: [a.test, b.test]}\nbudget: {seconds: 60}\ngoals:\n  - include: inner.yaml\n"
    inner = "policy: {hosts: [b.test, c.test]}\nbudget: {seconds: 9, actions: 5}\ngoals:\n  - a.b: {}\n"
    flow = load_flow(write(tmp_path, top=top, inner=inner))
    (narrowed,) = flow.narrowed
    assert flow.policy.narrow(narrowed).hosts == ("b.test",)
    assert (flow.budget.seconds, flow.budget.actions) == (9, 5)


def test_an_included_flow_may_use_no_secret_that_the_flow_does_not_name(tmp_path: Path) -> None:
    inner = "secrets: [shop]\ngoals:\n  - browser.type: {selector: css=a, text: secret:shop}\n"
    path = write(tmp_path, top="goals:\n  - include: inner.yaml\n", inner=inner)
    assert "uses the secret shop, which this flow does not name" in find_fault(path).message
    assert load_flow(write(tmp_path, top=f"secrets: [shop]\n{path.read_text()}")).secrets == ("shop",)


def test_a_flow_takes_its_files_along_and_reads_none_where_it_was_sent(tmp_path: Path) -> None:
    text = "goals:\n  - include: parts/login.yaml\n"
    path = write(tmp_path, top=text, parts__login=LOGIN)
    here = load_flow(path)
    assert here.files == {"parts/login.yaml": LOGIN}
    assert parse_flow(text, files=SentFiles(here.files)).goals == here.goals
    with pytest.raises(FlowError, match=r"flow:2:5: The file “parts/login.yaml” did not come with the flow"):
        parse_flow(text)

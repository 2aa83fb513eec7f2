"""`surehand console`: what the terminal says lets one browser in, and nothing else does."""

import httpx

from tests.agent.serving.conftest import Place


def test_a_code_from_the_terminal_lets_one_browser_in_and_the_persons_token_alone_none(place: Place) -> None:
    _, told = place.serve()
    said = place.run("console")
    address, _, code = said.out.strip().partition("#code=")
    assert (said.code, address) == (0, f"{told['address']}/console/")
    with httpx.Client(base_url=told["address"], trust_env=False) as browser:
        word = browser.post("/v1/console/key", json={"code": code}).raise_for_status().json()["word"]
        shown = {"X-Surehand-Console": word}
        assert browser.get("/v1/runs", headers=shown).status_code == 200
        assert browser.post("/v1/console/key", json={"code": code}).status_code == 403
        asked = browser.post("/v1/console/code", json={}, headers={"Authorization": f"Bearer {told['token']}"})
        assert (asked.status_code, asked.json()["error"]["code"]) == (403, "code_unknown")
        assert browser.delete("/v1/console/key", headers=shown).status_code == 204
        assert browser.get("/v1/runs", headers=shown).status_code == 401


def test_where_no_service_runs_there_is_no_console(place: Place) -> None:
    said = place.run("console")
    assert (said.code, said.out) == (2, "")
    assert "surehand serve" in said.err


def test_a_browser_stays_signed_in_when_the_service_starts_again(place: Place) -> None:
    process, told = place.serve()
    code = place.run("console").out.strip().partition("#code=")[2]
    with httpx.Client(trust_env=False) as browser:
        answer = browser.post(f"{told['address']}/v1/console/key", json={"code": code}).raise_for_status()
        shown = {"X-Surehand-Console": answer.json()["word"]}
        ((_, cookie),) = answer.cookies.items()
        process.terminate()
        process.wait()
        _, told = place.serve()
        name = (
            f"surehand-console-{told['address'].rpartition(':')[2]}"  # the port is another one, a person's is the same
        )
        again = browser.get(f"{told['address']}/v1/runs", headers={**shown, "Cookie": f"{name}={cookie}"})
    assert again.status_code == 200

"""The report in a real browser: it opens, filters, unpacks questions, and runs nothing of theirs.

Needs Chromium and ChromeDriver; `make test-browser` runs it.
"""

from __future__ import annotations

import json
import shutil
import time
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.runs.folder import RunFolder
from tests.run_folders import HOSTILE, make_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from selenium.webdriver import Chrome

pytestmark = pytest.mark.browser
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,1600",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("run"))


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chrome]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    assert chromium, "no chromium"
    assert driver, "no chromedriver"
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path / 'profile'}"):
        options.add_argument(flag)
    downloads = {"download.default_directory": str(tmp_path)}
    options.add_experimental_option("prefs", downloads)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options, Service(driver))
    started.set_script_timeout(20)
    yield started
    started.quit()


def wait(found: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def open_page(browser: Chrome, place: Path) -> None:
    browser.get(place.as_uri())
    wait(lambda: browser.execute_script("return document.body.dataset.ready"))


def texts(browser: Chrome, selector: str) -> list[str]:
    script = "return [...document.querySelectorAll(arguments[0])].map((n) => n.textContent)"
    found: list[str] = browser.execute_script(script, selector)
    return found


def click(browser: Chrome, selector: str, at: int = 0) -> None:
    browser.execute_script(
        "document.querySelectorAll(arguments[0])[arguments[1]].click()", selector, at
    )


def put(browser: Chrome, name: str, value: str) -> None:
    script = (
        "const n = document.getElementById(arguments[0]); n.value = arguments[1];"
        "n.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    browser.execute_script(script, name, value)


def test_the_report_opens_filters_and_unfolds(browser: Chrome, run: Path) -> None:
    open_page(browser, run / "report.html")
    assert texts(browser, "#count") == ["8 of 8"]
    assert len(texts(browser, "figure svg")) >= 4
    put(browser, "search", "drawer opened")
    assert texts(browser, "#count") == ["2 of 8"]
    click(browser, ".head")
    wait(lambda: texts(browser, ".body .reference"))
    assert texts(browser, ".body .question") == ["How many times was drawer 1 opened?"]
    assert texts(browser, ".body .reference") == ["3"]
    assert "2" in texts(browser, ".body .answer")
    folded = texts(browser, ".body summary")
    for part in ("plan", "result 1: count, ok", "SQL 1", "evidence", "facts"):
        assert part in folded
    assert any(name.startswith("prompt of tm") for name in folded)
    assert any("SELECT" in text for text in texts(browser, ".body pre"))
    click(browser, ".head")
    wait(lambda: not texts(browser, ".body"))


def test_verdicts_and_causes_can_be_chosen(browser: Chrome, run: Path) -> None:
    open_page(browser, run / "report.html")
    put(browser, "system", "rules-refined")
    put(browser, "verdict", "1")
    right = texts(browser, "#count")[0]
    put(browser, "verdict", "0")
    wrong = texts(browser, "#count")[0]
    assert int(right.split()[0]) + int(wrong.split()[0]) == 2  # the rule-made ones have a verdict
    put(browser, "verdict", "")
    put(browser, "system", "")
    put(browser, "search", "no such words anywhere")
    assert texts(browser, "#count") == ["0 of 8"]
    assert not texts(browser, "#list > li")


def test_nothing_of_the_run_becomes_markup(browser: Chrome, run: Path) -> None:
    open_page(browser, run / "report.html")
    assert HOSTILE in "".join(texts(browser, "#domain option"))
    for at in range(8):
        click(browser, ".head", at)
    wait(lambda: len(texts(browser, ".body")) == 8)
    assert any(HOSTILE in text for text in texts(browser, ".body .reference"))
    assert browser.title.startswith("ama: run of")
    assert not texts(browser, "img")
    logged: Any = browser
    severe = [row for row in logged.get_log("browser") if row["level"] == "SEVERE"]
    assert severe == []


def test_labels_are_given_saved_and_read_back(browser: Chrome, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    run = make_run(tmp_path / "own")
    queue = [
        c for c in RunFolder(run).read("attribution.json")["cases"] if c["cause"] == "to label"
    ]
    assert queue
    open_page(browser, run / "labels.html")
    assert len(texts(browser, "article")) == len(queue)
    click(browser, "article input[type=radio]", 3)
    click(browser, "article input[type=checkbox]")
    assert texts(browser, "#done") == [f"1 of {len(queue)} labelled"]
    saved = tmp_path / "labels.jsonl"
    click(browser, "#save")
    wait(saved.exists)
    (row,) = [json.loads(line) for line in saved.read_text("utf-8").splitlines()]
    assert (row["label"], row["defensible"]) == ("specification", True)
    saved.rename(run / "labels.jsonl")
    make_run(tmp_path / "own")
    found = RunFolder(run).read("attribution.json")["systems"][row["system"]]
    assert found["labels"]["specification"] == 1
    assert found["defensible"] == 1

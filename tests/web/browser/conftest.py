"""The site, a browser, and the page: the same for all files of this folder.

To make the site and to load the page takes as long as many tests. The browser is gone when the
tests of this folder are done: a second one cannot be driven meanwhile.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.browsing import FLAGS, Server, browser_path, serving
from ti99tools.base.errors import TIError
from ti99tools.fronts.web.site.making import make_site

if TYPE_CHECKING:
    from tests.web.browser.studio import Studio


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for program in ("npm", "node"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    folder = tmp_path_factory.mktemp("site")
    try:
        make_site(folder)
    except TIError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    return folder


@pytest.fixture(scope="package")
def server(site: Path) -> Iterator[Server]:
    with serving(site) as found:
        yield found


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    from tests.web.browser.studio import playwright

    path = browser_path()
    if path is None:
        pytest.skip("there is no Chromium")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def context(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(
        viewport={"width": 1440, "height": 900}, permissions=["clipboard-write"]
    )
    yield context
    context.close()


@pytest.fixture(scope="package")
def loaded(context: Any, server: Server) -> Studio:
    """The page, loaded for the first time, with a program in its address."""
    from tests.web.browser.studio import KEPT, Studio

    studio = Studio(context, server.address)
    before = len(server.asked)
    studio.load("#edit=dimraw")
    studio.opened = studio.page.input_value("#project")
    studio.page.evaluate(KEPT)
    studio.loaded = server.asked[before:]
    return studio


@pytest.fixture(scope="module")
def studio(loaded: Studio) -> Iterator[Studio]:
    """The page, and a look at the end of each file at what it has complained of meanwhile."""
    yield loaded
    wrong, loaded.wrong = loaded.wrong, []
    assert not wrong

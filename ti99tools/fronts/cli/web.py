"""`ti99tools web`: the studio as a static folder."""

from __future__ import annotations

from pathlib import Path

import click

from ti99tools.fronts.cli.options import examples, json_option, path_option, print_json


@click.command(
    epilog=examples(
        "ti99tools web --out site",
        "python3 -m http.server --directory site 8000",
        "ti99tools web --out site --modules node_modules",
    )
)
@path_option(
    "--out", folder=True, required=True, help="Where to write; the folder is made if necessary."
)
@path_option(
    "--modules", folder=True, exists=True, help="A folder node_modules to use: npm is not called."
)
@json_option
def command(out: Path, modules: Path | None, as_json: bool) -> None:
    """Make the studio: write, run, debug, play and prove programs in one web page.

    The folder works from any web server, and offline once it was loaded. The page needs no server
    of its own and sends nothing anywhere. The first time npm fetches the modules that the page is
    made of, in the versions that package-lock.json names; they are kept in the user's cache.
    docs/web.md describes the page.
    """
    from ti99tools.fronts.web.site.making import make_site

    site = make_site(out, modules)
    if as_json:
        print_json(
            {"folder": str(out), "version": site.version, "total": site.total, "files": site.sizes}
        )
        return
    click.echo(f"{out}: {len(site.sizes)} files, {site.total / 1e6:.1f} MB")
    click.echo(f"look at it: python3 -m http.server --directory {out} 8000")

"""What comes from others comes with its licence, and says where it is from."""

from pathlib import Path

import pytest

from app.components import vendor

FOLDER = Path(vendor.__file__).parent
LIBRARIES = sorted(path.parent for path in FOLDER.glob("*/*.js"))


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_every_library_has_its_licence_and_its_line_in_the_readme(library: Path) -> None:
    assert "Permission is hereby granted, free of charge" in (library / "LICENSE").read_text()
    readme = (FOLDER / "README.md").read_text()
    assert f"`{library.name}/{library.name}.esm.js`" in readme
    assert f"npmjs.com/package/{library.name}/v/" in readme

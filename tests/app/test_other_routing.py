"""Networks of other classes and sizes than the paper's, on the Route and Rebuild pages."""

from __future__ import annotations

import base64
import csv
import io
from pathlib import Path

import numpy as np
import pytest
import torch

import capsnet
from app import networks
from app.terms import counted, terms
from capsnet.analysis.tables import iterations_table
from tests.app.test_links import OLD_LINK
from tests.app.visit import open_app, sent_to
from tests.networks import CLOTHES, LETTERS, ODD, SHAPES

ROUTE, REBUILD = "views/route.py", "views/rebuild.py"
OF_EACH = {"clothes": CLOTHES, "shapes": SHAPES, "letters": LETTERS}


@pytest.fixture(autouse=True)
def offered(other_networks: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The app finds these networks."""
    monkeypatch.setenv(networks.CHECKPOINT_VARIABLE, str(other_networks))
    return other_networks


def floats(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), np.float32)


# --- words ------------------------------------------------------------------------------------


def test_the_papers_network_is_spoken_of_in_the_papers_words() -> None:
    told = terms(tuple("0123456789"), capsnet.CapsNetConfig())
    said = ("digit", "digits", "Digit", "ten", "Eight", "sixteen", "fifteen", "drawing", "images")
    assert [told[name] for name in said] == [
        *("digit", "digits", "Digit", "ten", "Eight", "sixteen", "fifteen", "drawing", "digits")
    ]
    assert (told["one"][8], told["each"][8]) == ("an 8", "8")  # type: ignore[index]


def test_other_networks_are_spoken_of_in_their_own() -> None:
    sizes = capsnet.CapsNetConfig(classes=2, primary_dim=4, digit_dim=24)
    told = terms(("Sneaker", "Ankle boot"), sizes)
    said = ("digit", "digits", "Digit", "ten", "Eight", "sixteen", "fifteen", "drawing", "image")
    assert [told[name] for name in said] == [
        *("class", "classes", "Class", "two", "Four", "24", "23", "picture", "image")
    ]
    assert (told["one"], told["each"]) == (
        ["Sneaker", "Ankle boot"],
        ["Sneaker image", "Ankle boot image"],
    )


def test_numbers_are_words_up_to_sixteen() -> None:
    assert [counted(n) for n in (0, 3, 16, 17)] == ["no", "three", "sixteen", "17"]


# --- Route ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OF_EACH)
def test_the_routing_of_any_number_of_classes_is_told(name: str) -> None:
    app = open_app(ROUTE, network=name, strokes=OLD_LINK)
    assert not app.exception and not app.warning
    given, names = sent_to(app, "routing_player"), OF_EACH[name]
    assert given["names"] == list(names)
    assert given["terms"]["ten"] == counted(len(names))
    assert len(floats(given["weights"]["values"])) == 8 * len(names) * 6


def test_a_sample_of_clothes_is_labelled_and_not_meant() -> None:
    given = sent_to(open_app(ROUTE, network="clothes", sample=str(ODD)), "routing_player")
    assert given["meant"] == "labelled T-shirt/top"
    assert sent_to(open_app(ROUTE), "routing_player")["meant"].startswith("the writer meant ")


def test_the_page_says_class_where_the_classes_are_no_digits() -> None:
    app = open_app(ROUTE, network="clothes")
    text = "\n".join(part.value for part in app.markdown)
    assert "the pose of every class" in text
    assert "over the whole test set of Fashion-MNIST" in text
    assert "every digit" not in text


def test_tables_name_the_classes_whatever_their_names_hold(offered: Path) -> None:
    model = capsnet.load_checkpoint(offered / "shapes.safetensors")
    trace = model.trace(torch.zeros(1, 1, 28, 28))
    moving = ("logits", "couplings", "agreements", "lengths")
    arrays = {name: getattr(trace, name)[:, 0] for name in moving}
    table = iterations_table({**arrays, "votes": trace.votes[0]}, model.class_names)
    rows = list(csv.reader(io.StringIO(table)))
    assert "length_Circle, filled" in rows[0]
    assert {len(row) for row in rows} == {len(rows[0])}


def test_a_cut_of_a_network_without_a_decoder_has_a_verdict_and_no_picture() -> None:
    app = open_app(ROUTE, network="plain", cut="t1")
    assert not app.exception
    cut = sent_to(app, "routing_player")["cut"]
    assert cut["after"]["words"]
    assert (cut["before"]["image"], cut["after"]["image"]) == (None, None)
    drawn = sent_to(open_app(ROUTE, network="clothes", cut="t1"), "routing_player")["cut"]
    assert floats(drawn["after"]["image"]).shape == (784,)
    assert drawn["after"]["words"] == cut["after"]["words"]


def test_an_input_is_compared_with_samples_of_the_networks_own() -> None:
    app = open_app(ROUTE, network="clothes", pinned="1", sample="2")
    pair = sent_to(app, "routing_player")["pair"]
    assert (pair["title"], pair["pinned"]) == ("Fashion-MNIST test image 1", 1)
    own = capsnet.load_checkpoint(networks.checkpoint_path() / "clothes.safetensors").samples
    assert own is not None
    assert pair["samples"]["indices"] == own.usual(20).indices.tolist()
    app.selectbox[0].select("mnist").run()
    pair = sent_to(app, "routing_player")["pair"]
    assert pair["title"] == "Fashion-MNIST test image 1"  # it stays pinned …
    assert pair["pinned"] is None  # … and is none of MNIST's samples
    assert "pinned" not in app.query_params
    assert 162 in pair["samples"]["indices"]


def test_a_network_without_samples_compares_with_drawings_alone() -> None:
    app = open_app(ROUTE, network="letters", strokes=OLD_LINK)
    app.session_state["routing_player"] = {"pair": {"do": "pin"}}
    assert not app.run().exception


@pytest.mark.parametrize("name", ["clothes", "letters"])
def test_the_lines_of_python_compute_the_same_lengths(name: str) -> None:
    app = open_app(ROUTE, network=name, strokes=OLD_LINK)
    app.toggle(key="python_lines").set_value(True).run()
    lines = app.code[0].value.replace('"checkpoints/', f'"{networks.checkpoint_path()}/')
    left: dict[str, object] = {}
    exec(compile(lines, "lines", "exec"), left)
    kind = "class" if name == "clothes" else "letter"
    assert f"{kind} capsule j" in lines and "digit" not in lines.replace("digit_dim", "")
    assert left["trace"].lengths.shape == (10, 1, len(OF_EACH[name]))  # type: ignore[attr-defined]


# --- Rebuild ----------------------------------------------------------------------------------


def test_a_pose_of_six_numbers_is_held() -> None:
    app = open_app(REBUILD, network="clothes", sample="2")
    assert not app.exception and not app.warning
    given = sent_to(app, "sculptor")
    assert floats(given["poses"]).shape == (60,)
    assert (given["test_set"], given["terms"]["sixteen"]) == ("Fashion-MNIST", "six")
    assert "an arrow of six numbers" in app.caption[0].value
    assert "draws a picture from one capsule alone" in app.caption[0].value


def test_a_link_holds_a_pose_of_a_named_class() -> None:
    app = open_app(REBUILD, network="clothes", sample="2", capsule="9", pose="6:200")
    held = sent_to(app, "sculptor")["held"]
    assert (held["digit"], held["edits"]["9"][5]) == (9, 0.2)
    app = open_app(REBUILD, network="clothes", sample="2", pose="7:200")
    assert "what there is not here" in app.warning[0].value


@pytest.mark.parametrize("name", ["shapes", "letters"])
def test_without_samples_there_is_a_pose_to_hold_and_no_journey_to_one(name: str) -> None:
    app = open_app(REBUILD, network=name, strokes=OLD_LINK)
    assert not app.exception
    assert sent_to(app, "sculptor")["names"] == list(OF_EACH[name])


def test_without_a_decoder_the_page_says_why_and_leads_elsewhere() -> None:
    app = open_app(REBUILD, network="plain")
    assert not app.exception
    assert "trained without a decoder" in app.info[0].value
    assert [link.proto.page for link in app.get("page_link")] == ["", "route"]
    assert not [e for e in app.get("bidi_component") if "sculptor" in e.proto.component_name]
    route = open_app(ROUTE, network="plain")
    assert "rebuild" not in [link.proto.page for link in route.get("page_link")]

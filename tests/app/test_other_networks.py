"""Networks of other classes than the ten digits, on the Draw page, in the header and in links."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

import capsnet
from app import networks, samples
from tests.app.test_links import OLD_LINK, PLAIN
from tests.app.test_upload import a_seven, upload
from tests.app.visit import open_app, sent_to
from tests.networks import CLOTHES, LETTERS, ODD, SHAPES


@pytest.fixture(autouse=True)
def offered(other_networks: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The app finds these networks."""
    monkeypatch.setenv(networks.CHECKPOINT_VARIABLE, str(other_networks))
    return other_networks


@pytest.fixture(scope="module")
def own(other_networks: Path) -> samples.Samples:
    """The samples that the network of clothes brings."""
    found = capsnet.load_checkpoint(other_networks / "clothes.safetensors").samples
    assert found is not None
    return found


def choose(app: AppTest, name: str) -> AppTest:
    app.selectbox[0].select(name).run()
    assert not app.exception
    return app


def told(app: AppTest) -> str:
    """All that the page says in text of its own."""
    parts = [*app.title, *app.subheader, *app.caption, *app.markdown, *app.warning]
    return "\n".join([*(part.value for part in parts), app.file_uploader[0].label])


def looked_at(app: AppTest) -> int:
    """The sample in the link."""
    said = app.query_params["sample"]
    return int(said if isinstance(said, str) else said[0])


# --- names ------------------------------------------------------------------------------------


def test_clothes_are_called_by_their_names_on_the_whole_page(own: samples.Samples) -> None:
    app = open_app(network="clothes")
    assert not app.exception and not app.warning
    assert app.title[0].value == "Show it a picture"
    assert "digit is there" not in told(app) and "Fashion-MNIST" in told(app)
    given = sent_to(app, "reading")
    best = CLOTHES[own.labels[own.place(own.opening) or 0]]
    assert given["names"] == list(CLOTHES)
    assert given["words"].startswith(f"reads {best}, length 0.")
    assert given["title"] == f"Fashion-MNIST test image {own.opening}"
    assert (given["kind"], given["meant"]) == ("class", f"labelled {best}")
    header = sent_to(open_app("views/route.py", network="clothes"), "header")
    assert (header["meant"], header["misread"]) == (f"labelled {best}", False)


def test_the_page_of_the_digits_is_as_it_was() -> None:
    app = open_app()
    assert app.title[0].value == "Draw a digit"
    assert "a capsule network reads your digit." in told(app)
    assert "MNIST](http://yann.lecun.com" in told(app)
    given = sent_to(app, "reading")
    assert (given["kind"], given["meant"]) == ("digit", f"the writer meant {given['label']}")
    assert sent_to(app, "shelf")["called"][7:] == ["a 7", "an 8", "a 9"]


def test_networks_of_one_title_are_told_apart_and_others_keep_theirs() -> None:
    assert open_app().selectbox[0].options == [
        "MNIST alone, as in the paper (0.43 % test error)",
        "Fashion-MNIST (12.50 % test error): clothes",
        "handwriting (12.50 % test error)",
        "Fashion-MNIST (12.50 % test error): plain",
        "shapes (12.50 % test error)",
    ]


def test_a_network_of_one_class_is_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, offered: Path
) -> None:
    one = capsnet.CapsNetConfig(classes=1, conv_channels=2, primary_types=1, decoder_hidden=(2, 2))
    capsnet.save_checkpoint(tmp_path / "digits.safetensors", capsnet.CapsNet(one))
    (tmp_path / "shapes.safetensors").write_bytes((offered / "shapes.safetensors").read_bytes())
    monkeypatch.setenv(networks.CHECKPOINT_VARIABLE, str(tmp_path))
    app = open_app()
    assert not app.exception
    assert "Not offered: digits.safetensors knows one class alone" in app.warning[0].value


# --- samples ----------------------------------------------------------------------------------


def test_the_shelf_holds_the_networks_own_samples(own: samples.Samples) -> None:
    app = open_app(network="clothes")
    given = sent_to(app, "shelf")
    assert base64.b64decode(given["images"]) == own.images.tobytes()
    assert given["indices"] == own.indices.tolist()
    assert (given["set"], given["chosen"]) == ("Fashion-MNIST", own.opening)
    assert given["called"] == list(CLOTHES)
    place = given["indices"].index(ODD)
    assert (given["labels"][place], given["verdicts"][place]) == (0, 9)
    assert "© 2017 Zalando SE" in app.caption[-1].value


@pytest.mark.parametrize(("name", "title"), [("shapes", "picture"), ("letters", "letter")])
def test_without_samples_it_opens_on_the_blank_pad_and_says_how_to_get_some(
    name: str, title: str
) -> None:
    app = open_app(network=name)
    assert not app.exception and not app.warning
    assert sent_to(app, "reading")["blank"]
    assert sent_to(app, "pad")["other"] is None
    assert sent_to(app, "pad")["wanted"] == title
    assert not [e for e in app.get("bidi_component") if "shelf" in e.proto.component_name]
    assert f"python -m capsnet.measure {name}.safetensors" in told(app)
    assert "sample" not in app.query_params and "strokes" not in app.query_params
    assert "Samples:" not in told(app)


def test_a_sample_gives_way_to_the_other_shelf_and_comes_back(own: samples.Samples) -> None:
    mnist = samples.load()
    looked = int(mnist.indices[3])
    app = choose(open_app(sample=str(looked)), "clothes")
    assert not app.warning
    assert looked_at(app) == own.opening
    app = choose(app, "shapes")
    assert sent_to(app, "reading")["blank"]
    assert looked_at(choose(app, "mnist")) == looked
    assert sent_to(app, "reading")["title"] == f"MNIST test image {looked}"


def test_networks_of_one_test_set_look_at_the_same_sample() -> None:
    app = choose(open_app(network="clothes", sample=str(ODD)), "plain")
    assert looked_at(app) == ODD
    assert sent_to(app, "reading")["meant"] == "labelled T-shirt/top"


# --- links ------------------------------------------------------------------------------------


def test_a_link_to_a_sample_of_another_network_opens_from_a_fresh_start() -> None:
    app = open_app(network="clothes", sample=str(ODD))
    assert not app.exception and not app.warning
    given = sent_to(app, "reading")
    assert given["title"] == f"Fashion-MNIST test image {ODD}"
    assert (given["label"], given["digit"]) == (0, 9)
    header = sent_to(open_app("views/route.py", network="clothes", sample=str(ODD)), "header")
    assert header["misread"] and header["meant"] == "labelled T-shirt/top"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"network": "clothes", "sample": "9999"}, "not on the shelf. Here is a sample instead."),
        ({"network": "shapes", "sample": "3"}, "not on the shelf. Here is the empty pad instead."),
        ({"network": "gloves", "sample": "9999"}, "names a network that is not here"),
        ({"network": "gloves", "sample": "9999"}, "Here is a sample instead."),
    ],
)
def test_a_wrong_link_says_what_is_wrong_with_it(query: dict[str, str], words: str) -> None:
    app = open_app(**query)
    assert not app.exception
    assert words in app.warning[0].value


# --- drawings and pictures --------------------------------------------------------------------


def test_a_drawing_is_kept_from_network_to_network() -> None:
    app = open_app(strokes=OLD_LINK)
    for name in ("clothes", "letters", "mnist"):
        choose(app, name)
        assert sent_to(app, "pad")["ops"] == PLAIN
        assert sent_to(app, "pad")["other"] is None
        assert sent_to(app, "reading")["steps"][0]["title"] == "As drawn"


def test_a_picture_is_seen_whole_by_a_network_of_clothes_and_as_ink_by_one_of_digits() -> None:
    app = upload(open_app(), a_seven(), "seven.png")
    ink = sent_to(app, "reading")
    assert [step["title"] for step in ink["steps"]] == ["As uploaded", "Ink found"]
    whole = sent_to(choose(app, "clothes"), "reading")
    assert whole["title"] == "seven.png"
    assert [step["title"] for step in whole["steps"]] == ["As uploaded"]
    assert whole["image"] != ink["image"]
    pixels = np.frombuffer(base64.b64decode(whole["image"]), np.float32).reshape(28, 28)
    assert pixels[0, 0] == 0 and pixels.max() > 0.7  # dark ground, as that of the samples
    assert sent_to(choose(app, "mnist"), "reading")["image"] == ink["image"]


def test_a_picture_without_a_digit_is_refused_by_digits_alone() -> None:
    rows = np.tile(np.linspace(0, 255, 60).astype(np.uint8)[:, None], (1, 60))
    buffer = io.BytesIO()
    Image.fromarray(rows).save(buffer, "PNG")
    app = upload(open_app(), buffer.getvalue(), "sky.png")
    assert "digit" in app.warning[0].value
    app = upload(open_app(network="clothes"), buffer.getvalue(), "sky.png")
    assert sent_to(app, "reading")["title"] == "sky.png"
    flat = io.BytesIO()
    Image.new("L", (60, 60), 128).save(flat, "PNG")
    app = upload(app, flat.getvalue(), "fog.png")
    assert "nothing to see in fog" in app.warning[0].value


# --- other sizes ------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "names"), [("shapes", SHAPES), ("letters", LETTERS)])
def test_any_number_of_classes_is_read(name: str, names: tuple[str, ...]) -> None:
    app = open_app(network=name, strokes=OLD_LINK)
    given = sent_to(app, "reading")
    assert given["names"] == list(names)
    assert len(given["lengths"]) == len(names)
    assert "has not been measured with this network" in given["doubt"]["origin"]


def test_a_network_without_a_decoder_reads_and_draws_nothing() -> None:
    app = open_app(network="plain")
    assert not app.exception
    given = sent_to(app, "reading")
    assert given["sure"]
    assert (given["reconstructions"], given["errors"]) == ("", [])
    assert "**Rebuild**" not in told(app)

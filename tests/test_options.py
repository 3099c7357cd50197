import pytest

from capsnet import CapsNetConfig, load_checkpoint
from capsnet.checkpoint import read_metadata
from capsnet.train import main
from capsnet.training.options import network, parse
from capsnet.training.recipe import Recipe

SMALL = ["--conv-channels", "4", "--primary-types", "2", "--primary-dim", "3", "--digit-dim", "4"]


def test_the_papers_network_is_what_nothing_else_asks_for():
    assert network(parse([])) == CapsNetConfig()
    assert parse([]).reconstruction == Recipe().reconstruction


def test_every_width_can_be_set():
    given = (
        "--conv-channels 3 --primary-types 4 --primary-dim 5 --digit-dim 6 "
        "--routing-iterations 2 --decoder-hidden 7 8"
    )
    assert network(parse(given.split()), classes=9) == CapsNetConfig(
        classes=9,
        conv_channels=3,
        primary_types=4,
        primary_dim=5,
        digit_dim=6,
        iterations=2,
        decoder_hidden=(7, 8),
    )


def test_without_a_decoder_there_is_no_reconstruction_loss():
    options = parse(["--no-decoder"])
    assert network(options).decoder_hidden is None
    assert options.reconstruction == 0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("--no-decoder --reconstruction 0.0005", "--no-decoder leaves nothing"),
        ("--no-decoder --decoder-hidden 5 6", "not allowed with argument"),
        ("--decoder-hidden 5", "expected 2 arguments"),
        ("--decoder-hidden 5 0", "argument --decoder-hidden: must be between 1 and 65536, got 0"),
        ("--conv-channels 0", "argument --conv-channels: must be between 1 and 65536, got 0"),
        (f"--batch-size {10**20}", "argument --batch-size: must be between 1 and"),
        (f"--strokes-copies {10**20}", "argument --strokes-copies: must be between 1 and"),
        ("--data-dir=", "argument --data-dir: needs a name"),
        ("--limit nan", "argument --limit: must be a whole number, got 'nan'"),
        ("--primary-dim 2.5", "argument --primary-dim: must be a whole number"),
        ("--routing-iterations 0", "argument --routing-iterations: must be between 1 and 1000"),
    ],
)
def test_what_describes_no_network_is_refused_in_one_line(given, words, capsys):
    with pytest.raises(SystemExit) as stopped:
        parse(given.split())
    assert stopped.value.code == 2
    message = capsys.readouterr().err
    assert words in message
    assert len(message.strip().splitlines()) == 1


def test_the_help_is_in_groups_and_tells_every_default(capsys):
    with pytest.raises(SystemExit):
        parse(["--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for group in ("data:", "network:", "recipe:", "run:"):
        assert group in shown
    assert (
        "weight of the reconstruction loss; 0 leaves the decoder as it began (default: 0.0005)"
        in shown
    )
    assert "largest shear (default: 0.0)" in shown
    assert "None" not in shown
    assert "False" not in shown


def trained(out, mnist_root, *more):
    given = ["--data-dir", str(mnist_root), "--device", "cpu", "--limit", "60", "--epochs", "1"]
    return main([*given, *SMALL, "--out", str(out), *more])


def test_widths_and_iterations_are_those_of_the_trained_network(mnist_root, tmp_path):
    out = tmp_path / "x.safetensors"
    given = ["--routing-iterations", "2", "--decoder-hidden", "5", "6"]
    assert trained(out, mnist_root, *given) == 0
    model = load_checkpoint(out)
    assert (model.config.conv_channels, model.config.primary_dim) == (4, 3)
    assert (model.config.iterations, model.config.decoder_hidden) == (2, (5, 6))
    assert model.metrics["iterations"] == 2


def test_a_network_without_a_decoder_is_trained_saved_and_resumed(mnist_root, tmp_path, capsys):
    out = tmp_path / "x.safetensors"
    assert trained(out, mnist_root, "--no-decoder") == 0
    model = load_checkpoint(out)
    assert model.decoder is None
    assert model.metrics["reconstruction_sse"] is None
    assert model.metrics["history"][0]["train"]["reconstruction_sse"] is None
    metadata = read_metadata(out)
    assert metadata["settings"]["reconstruction"] == 0
    assert "--no-decoder" in metadata["command"]
    assert trained(out, mnist_root, "--no-decoder", "--resume") == 0
    capsys.readouterr()
    assert trained(out, mnist_root, "--reconstruction", "0", "--resume") == 1
    message = capsys.readouterr().err
    assert "another config (decoder_hidden None instead of [512, 1024])" in message


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_a_network_too_large_for_the_memory_is_refused_in_words(mnist_root, tmp_path, more, capsys):
    out = tmp_path / "x.safetensors"
    wide = ("--conv-channels", "65536", "--primary-types", "65536")  # 11 TB
    assert trained(out, mnist_root, *wide, *more) == 1
    message = capsys.readouterr().err
    assert "does not fit into the memory: make" in message
    assert len(message.strip().splitlines()) == 1
    assert not out.exists()

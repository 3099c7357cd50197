"""The evidence about routing: what it says of a survey, and what it shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from app import state_survey
from app.evidence import about_capsules, about_couplings, claims
from app.state_survey import Look
from capsnet import CapsNet, CapsNetConfig, save_checkpoint
from capsnet.analysis.survey import RoutingSurvey
from capsnet.survey import checkpoint_key, load_survey, save_survey, survey_path

CHECKPOINTS = Path(__file__).parents[2] / "checkpoints"
TINY = CapsNetConfig(
    conv_channels=4, primary_types=2, primary_dim=3, digit_dim=4, decoder_hidden=(5, 6)
)


def script() -> None:
    from app import gate
    from app.views.evidence import evidence

    gate.open_page()
    evidence()


def show(**query: str) -> AppTest:
    app = AppTest.from_function(script, default_timeout=90)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def words(app: AppTest) -> str:
    return "\n".join(element.value for element in app.markdown)


@pytest.fixture(scope="module")
def survey() -> RoutingSurvey:
    path = CHECKPOINTS / "digits.safetensors"
    return load_survey(survey_path(path), checkpoint_key(path))


@pytest.fixture
def unsurveyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkpoint that the app opens with, without a survey."""
    torch.manual_seed(0)
    path = tmp_path / "tiny.safetensors"
    save_checkpoint(path, CapsNet(TINY))
    monkeypatch.setenv("CAPSNET_CHECKPOINT", str(path))
    return path


def test_every_claim_has_its_source_and_what_was_measured(survey: RoutingSurvey) -> None:
    told = claims(survey, survey)
    numbers = [source.arxiv for claim in told for source in claim.sources]
    assert numbers == [
        "1710.09829",
        "1907.13327",
        "1903.09662",
        "2301.01583",
        "1911.07968",
        "2103.15459",
    ]
    assert told[0].sources[0].link.endswith("(https://arxiv.org/abs/1710.09829)")
    assert all(claim.says and claim.here for claim in told)


def test_the_numbers_are_the_surveys(survey: RoutingSurvey) -> None:
    other = replace(
        survey,
        errors=np.array([120, 50, 40, *[60] * 7]),
        changed=np.array([90, 0, 0, *[7] * 7]),
        better=np.array([2, 0, 0, *[0] * 7]),
        worse=np.array([82, 0, 0, *[7] * 7]),
        static=8e-6,
        between=1e-6,
        within=1e-6,
        dead=np.where(np.arange(1152) < 30, 0.9, 0.2),
    )
    one_against_three, polarising, _, static, affine = (
        claim.here.replace("\N{NO-BREAK SPACE}", " ")
        for claim in claims(other, replace(other, count=2_000))
    )
    assert "**1.20 %** after 1 iteration and **0.40 %** after 3" in one_against_three
    assert "after 1 it is right on 2 of them, after 3 on 82" in one_against_three
    assert "less than 1 % of the cases" in one_against_three
    assert "more than **90** of the 10,000 verdicts" in polarising
    assert "2 % of the cases" in polarising  # 2 / 2⁷
    assert "80 % is the same for all images" in static
    assert "**30 of the 1,152 primary capsules** are dead" in static
    assert "**6.00 %** after 1 iteration and **2.00 %** after 3" in affine


def test_verdicts_that_never_change_are_said_so(survey: RoutingSurvey) -> None:
    still = replace(survey, changed=survey.changed * 0)
    assert "Not one verdict differs." in claims(still, still)[0].here


def test_the_captions_say_what_their_figures_show(survey: RoutingSurvey) -> None:
    shortest = survey.length_counts.nonzero()[0][0] / 100
    assert f"{shortest:.2f}" in about_capsules(survey, 6)
    assert "where the image is a 7" in about_couplings(survey, 7, "7")
    assert "1,028 images" in about_couplings(survey, 7, "7")


def test_the_page_shows_claims_and_the_figures_over_the_iterations() -> None:
    app = show()
    assert app.subheader[0].value.startswith("Does routing help?")
    assert words(app).count("*This network.*") == 5
    assert "https://arxiv.org/abs/1907.13327" in words(app)
    assert not app.get("plotly_chart")
    assert not app.info
    app.button_group[0].set_value("verdicts").run()
    assert len(app.get("plotly_chart")) == 2
    assert app.query_params["evidence"] == "verdicts"


def test_only_the_topic_looked_at_is_drawn_and_stays_in_the_link() -> None:
    app = show()
    app.button_group[0].set_value("capsules").run()
    assert len(app.get("plotly_chart")) == 1
    assert app.query_params["evidence"] == "capsules"
    app.button_group[1].set_value("dead").run()
    assert app.query_params["evidence"] == "capsules-dead"
    app.button_group[0].set_value("couplings").run()
    assert len(app.get("plotly_chart")) == 2
    assert "where the image is a 0" in app.caption[-1].value
    assert not app.exception


def test_a_link_opens_the_digit_it_names() -> None:
    app = show(evidence="couplings-7")
    assert "where the image is a 7" in app.caption[-1].value


@pytest.mark.parametrize(
    ("text", "look"),
    [
        ("", Look()),
        ("capsules", Look("capsules")),
        ("capsules-length", Look("capsules", "length")),
        ("couplings-9", Look("couplings", None, 9)),
        ("couplings-10", Look("couplings", None, 0)),
        ("capsules-7", Look("capsules", None, 7)),
        ("nonsense-dead", Look()),
    ],
)
def test_a_link_says_which_figures_or_nothing(text: str, look: Look) -> None:
    assert Look.linked(text, 10) == look
    assert Look.linked(look.link, 10).link == look.link


def test_without_a_survey_the_command_that_makes_one_is_told(unsurveyed: Path) -> None:
    app = show()
    assert "was not surveyed: tiny.survey.npz does not exist." in app.info[0].value
    assert app.code[0].value == f"python -m capsnet.survey {unsurveyed.name} --data-dir data"
    assert not app.get("plotly_chart")
    assert words(app).count("Not measured yet.") == 5


def test_a_survey_of_older_weights_is_not_shown(unsurveyed: Path, survey: RoutingSurvey) -> None:
    save_survey(survey_path(unsurveyed), "another", {"routing": survey, "moved": survey})
    app = show()
    assert "made of another version of the checkpoint" in app.info[0].value
    assert not app.get("plotly_chart")


def test_where_the_file_was_removed_since_the_evidence_still_says_what_is_missing(
    unsurveyed: Path,
) -> None:
    assert not show().exception
    unsurveyed.unlink()
    state_survey._surveyed.clear()  # as where the survey is looked for again
    app = show()
    assert not app.exception
    assert "was not surveyed" in app.info[0].value

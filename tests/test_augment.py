import torch

from capsnet.datasets.augment import Augmentation


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def test_the_same_seed_makes_the_same_images(images):
    augment = Augmentation()
    first = augment(images[:20], generator())
    assert torch.equal(first, augment(images[:20], generator()))
    assert not torch.equal(first, augment(images[:20], generator(1)))


def test_nothing_asked_changes_nothing(images):
    same = Augmentation(shift=0, rotation=0, scale=0)(images[:20], generator())
    torch.testing.assert_close(same, images[:20], atol=1e-5, rtol=0)


def test_shifts_alone_move_whole_pixels_up_to_the_limit(images):
    moved = Augmentation(shift=2, rotation=0, scale=0)(images[:200], generator())
    seen = set()
    for before, after in zip(images[:200, 0], moved[:, 0], strict=True):
        matches = [
            (dy, dx)
            for dy in range(-2, 3)
            for dx in range(-2, 3)
            if torch.allclose(
                after[4:-4, 4:-4], before.roll((dy, dx), (0, 1))[4:-4, 4:-4], atol=1e-4
            )
        ]
        assert matches
        seen.update(matches[:1])
    assert len(seen) > 20  # nearly all of the 25 shifts turn up


def test_values_stay_between_0_and_1_and_the_input_is_left_alone(images):
    before = images[:50].clone()
    changed = Augmentation(shift=3, rotation=30, scale=0.3)(images[:50], generator())
    assert torch.equal(images[:50], before)
    assert changed.min() >= 0
    assert changed.max() <= 1
    assert changed.shape == before.shape


def test_a_larger_scale_range_changes_the_amount_of_ink(images):
    ink = images[:200].sum((1, 2, 3))
    kept = Augmentation(shift=0, rotation=20, scale=0)(images[:200], generator()).sum((1, 2, 3))
    scaled = Augmentation(shift=0, rotation=0, scale=0.2)(images[:200], generator()).sum((1, 2, 3))
    assert (kept / ink).std() < 0.05
    assert (scaled / ink).std() > 0.1


def test_shear_slides_the_rows_and_keeps_the_ink(images):
    still = {"shift": 0, "rotation": 0, "scale": 0}
    sheared = Augmentation(**still, shear=0.3)(images[:200], generator())
    rows = images[:200].sum((1, 3)), sheared.sum((1, 3))
    torch.testing.assert_close(*rows, atol=0.6, rtol=0.05)
    assert (sheared - images[:200]).abs().amax(dim=(1, 2, 3)).median() > 0.5


def test_strokes_bend_smoothly_by_about_the_pixels_asked_for(images):
    ramp = torch.arange(28.0).expand(300, 1, 28, 28) / 28  # its value tells where it was read
    still = {"shift": 0, "rotation": 0, "scale": 0}
    bent = Augmentation(**still, elastic=0.5)(ramp, generator())
    moved = 28 * (bent - ramp)[..., 8:20, 8:20]
    assert 0.35 < moved.std() < 0.6
    assert moved.diff(dim=-1).std() < 0.5 * moved.std()

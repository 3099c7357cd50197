"""Pictures of anything, all of them fitted into the network's image."""

import numpy as np
import pytest
from PIL import Image

from capsnet.preprocessing.drawing import DrawingError
from capsnet.preprocessing.whole import fit_whole, ground


def test_a_picture_of_the_networks_size_comes_out_as_it_is():
    picture = np.random.default_rng(0).integers(0, 256, (28, 28), dtype=np.uint8)
    shown, image = fit_whole(picture)
    np.testing.assert_allclose(image[0, 0] * 255, picture, atol=1e-4)
    np.testing.assert_allclose(shown[:, :, 0] * 255, picture, atol=1e-4)


def test_all_of_a_wide_picture_is_in_the_image_and_its_ground_goes_on_around_it():
    picture = np.full((100, 200), 240, np.uint8)
    picture[:, :100] = 10
    picture[0], picture[-1] = 240, 240
    image = fit_whole(picture)[1][0, 0].numpy()
    assert (image[:6] > 0.9).all() and (image[-6:] > 0.9).all()  # beside the picture
    assert image[14, 3] < 0.1 and image[14, 24] > 0.9


def test_colours_become_grey_and_transparent_parts_paper():
    picture = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    picture.paste((200, 30, 30, 255), (10, 10, 30, 30))
    shown, image = fit_whole(picture)
    assert shown.shape == (40, 40, 3)
    middle, edge = image[0, 0, 14, 14], image[0, 0, 1, 1]
    assert abs(float(middle) - 0.32) < 0.03  # of red, as eyes see it
    assert abs(float(middle - edge)) > 0.25


def test_the_ground_is_what_most_of_the_edge_shows():
    image = np.full((1, 28, 28), 250)
    image[:, 5:, 10:18] = 0
    assert ground(image) == 250


def test_what_is_no_picture_is_refused_in_words():
    with pytest.raises(DrawingError, match="too small"):
        fit_whole(np.zeros((4, 4), np.uint8))

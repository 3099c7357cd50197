"""The paper's network as plain float64 loops, capsule by capsule, sharing no code with capsnet.

Every formula is written from the paper: eq. 1 (squash), eq. 2 (votes and weighted sum), eq. 3
(softmax), Procedure 1 (routing), eq. 4 (margin loss), section 4.1 (reconstruction loss).
"""

import math

import numpy as np


def squash(s):
    norm = math.sqrt(sum(x * x for x in s))
    if norm == 0:
        return np.zeros_like(s)
    return np.array([norm**2 / (1 + norm**2) * x / norm for x in s])


def softmax(logits):
    exponentials = [math.exp(b - max(logits)) for b in logits]
    return [e / sum(exponentials) for e in exponentials]


def convolve(image, weight, bias, stride):
    """image [C, H, H], weight [O, C, k, k] -> [O, H', H'], no padding."""
    k = weight.shape[-1]
    size = (image.shape[-1] - k) // stride + 1
    out = np.zeros((len(weight), size, size))
    for row in range(size):
        for column in range(size):
            top, left = row * stride, column * stride
            patch = image[:, top : top + k, left : left + k]
            out[:, row, column] = np.tensordot(weight, patch, axes=3) + bias
    return out


def primary_capsules(image, weights, types, dim):
    """Eight channels of one place make a capsule; i = type · places + row · grid + column."""
    hidden = convolve(image, weights["conv1.weight"], weights["conv1.bias"], 1)
    hidden = np.maximum(hidden, 0)
    features = convolve(hidden, weights["conv2.weight"], weights["conv2.bias"], 2)
    capsules = []
    for kind in range(types):
        for row in range(features.shape[1]):
            for column in range(features.shape[2]):
                vector = features[kind * dim : (kind + 1) * dim, row, column]
                capsules.append(squash(vector))
    return np.array(capsules)


def votes(primary, W):
    """W [I, d_in, J, D]: û_j|i = W_ij u_i, one matrix-vector product at a time."""
    I, _, J, D = W.shape  # noqa: E741
    out = np.zeros((I, J, D))
    for i in range(I):
        for j in range(J):
            for d in range(D):
                out[i, j, d] = sum(W[i, :, j, d] * primary[i])
    return out


def routing(votes, iterations):
    """Procedure 1. Returns lists over the iterations: logits, couplings, poses, agreements."""
    I, J, _ = votes.shape  # noqa: E741
    b = np.zeros((I, J))
    history = {"logits": [], "couplings": [], "poses": [], "agreements": []}
    for _ in range(iterations):
        history["logits"].append(b.copy())
        c = np.array([softmax(b[i]) for i in range(I)])  # over the digit capsules of capsule i
        v = []
        for j in range(J):
            s = sum(c[i, j] * votes[i, j] for i in range(I))
            v.append(squash(s))
        a = np.array([[float(votes[i, j] @ v[j]) for j in range(J)] for i in range(I)])
        b = b + a
        history["couplings"].append(c)
        history["poses"].append(np.array(v))
        history["agreements"].append(a)
    return {name: np.array(values) for name, values in history.items()}


def margin_loss(lengths, labels):
    total = 0.0
    for row, label in zip(lengths, labels, strict=True):
        for k, length in enumerate(row):
            present = 1 if k == label else 0
            total += present * max(0, 0.9 - length) ** 2
            total += 0.5 * (1 - present) * max(0, length - 0.1) ** 2
    return total / len(labels)


def reconstruction_loss(reconstruction, images):
    total = 0.0
    for one, image in zip(reconstruction, images, strict=True):
        for x, y in zip(one.ravel(), image.ravel(), strict=True):
            total += (x - y) ** 2
    return total / len(images)


def decode(poses, digit, layers):
    """layers: three (weight, bias); every capsule but `digit` is 0."""
    flat = np.zeros(poses.size)
    width = poses.shape[1]
    flat[digit * width : (digit + 1) * width] = poses[digit]
    (w1, b1), (w2, b2), (w3, b3) = layers
    hidden = np.maximum(w1 @ flat + b1, 0)
    hidden = np.maximum(w2 @ hidden + b2, 0)
    return 1 / (1 + np.exp(-(w3 @ hidden + b3)))

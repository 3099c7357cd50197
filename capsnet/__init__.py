"""The capsule network of "Dynamic Routing Between Capsules", small, exact and fast."""

from capsnet.analysis.receptive_fields import receptive_field
from capsnet.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from capsnet.config import CapsNetConfig
from capsnet.losses import margin_loss, reconstruction_loss
from capsnet.model import CapsNet, CapsNetOutput
from capsnet.routing import RoutingTrace, squash

__version__ = "0.1.0"

__all__ = [
    "CapsNet",
    "CapsNetConfig",
    "CapsNetOutput",
    "CheckpointError",
    "RoutingTrace",
    "load_checkpoint",
    "margin_loss",
    "receptive_field",
    "reconstruction_loss",
    "save_checkpoint",
    "squash",
]

"""One drawing for each part of the model: a function of this list draws docs/figures/NAME.svg."""

from . import coding, network, node, timing

PARTS = {
    "machine": node.machine,
    "gradients": coding.gradients,
    "chunks": coding.chunks,
    "codecs": coding.codecs,
    "tables": coding.tables,
    "gpu": node.gpu,
    "engine": node.engine,
    "nic": node.nic,
    "network": network.network,
    "flow-control": network.flow_control,
    "in-network": network.in_network,
    "router": network.router,
    "collectives": timing.collectives,
    "training-step": timing.training_step,
    "lossy": coding.lossy,
    "peeling": coding.peeling,
    "time": timing.time,
    "prediction": timing.prediction,
}

"""What the test processes of these tests run: small DDP trainings over gloo.

`run(size, folder)` starts `size` processes that go through all scenarios one after the other and
leave in `folder`, for each scenario, the trace and a pickle of what happened in training.
"""

import faulthandler
import pickle
import signal
import time
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import torch
import torch.distributed as dist
import torch.multiprocessing as multiprocessing
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from oscar_capture import CaptureError, ddp, fsdp, group

LIMIT = 300  # seconds for all scenarios of a process, of which 10 are usual
STEPS = 5
BATCH = 6
WINDOWS = {"early": (0, 2), "late": (3, 2)}
SMALL_BUCKETS = 0.0005  # MiB, so that the models below have several

EXAMPLE = """\
from oscar_capture import ddp
capture = ddp.Capture(model, folder, first=1, count=2)
model.register_comm_hook(capture, ddp.hook)
for inputs, labels in loader:
    loss = capture.loss(criterion(model(inputs), labels)); train(loss)
capture.finish()
del capture, model
"""


class Net(nn.Module):
    """Defined in another order than it is used, so that DDP re-orders its buckets."""

    def __init__(self):
        super().__init__()
        self.head = nn.Linear(12, 3)
        self.conv = nn.Conv2d(2, 5, 3, padding=1)
        self.middle = nn.Linear(80, 12)
        self.scale = nn.Parameter(torch.tensor(1.5))

    def forward(self, images):
        x = F.relu(self.conv(images)) * self.scale
        return self.head(torch.tanh(self.middle(x.flatten(1))))


class HalfNet(Net):
    """Net with one tensor in fp16."""

    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(12, 80, dtype=torch.float16))
        del self.scale

    def forward(self, images):
        x = F.relu(self.conv(images)).flatten(1)
        return self.head(torch.tanh(F.linear(x, self.middle.weight * self.gain.float(), self.middle.bias)))


class PartlyUsed(Net):
    """Net with a tensor that takes no part and one that is frozen."""

    def __init__(self):
        super().__init__()
        self.idle = nn.Parameter(torch.ones(7))
        self.frozen = nn.Parameter(torch.ones(3), requires_grad=False)


def make(kind=Net, channels_last=False):
    torch.manual_seed(3)
    model = kind()
    return model.to(memory_format=torch.channels_last) if channels_last else model


def batch(rank, step, part=0):
    """Images [BATCH, 2, 4, 4] and labels [BATCH] of one rank and step."""
    generator = torch.Generator().manual_seed(1000 * step + 10 * rank + part)
    return torch.randn(BATCH, 2, 4, 4, generator=generator), torch.randint(3, (BATCH,), generator=generator)


def optimiser_of(model):
    return torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1, momentum=0.9)


def train(
    folder,
    capture,
    kind=Net,
    steps=STEPS,
    windows=WINDOWS,
    set_to_none=True,
    channels_last=False,
    micro_batches=1,
    give_loss=True,
    about=None,
    **ddp_options,
):
    """Train; returns applied gradients, losses, bucket orders and step times per step, and the parameters."""
    with mock.patch.object(dist, "_DEFAULT_FIRST_BUCKET_BYTES", 64):  # else the first bucket takes 1 MiB
        model = DistributedDataParallel(make(kind, channels_last), bucket_cap_mb=SMALL_BUCKETS, **ddp_options)
    names = {id(tensor): name for name, tensor in model.module.named_parameters()}
    seen = SimpleNamespace(applied=[], loss=[], buckets=[], seconds=[], parameters=None)

    def spy(state, bucket):
        seen.buckets[-1].append([names[id(tensor)] for tensor in bucket.parameters()])
        return ddp.hook(state, bucket)

    if capture:
        state = ddp.Capture(model, folder / "trace", windows=windows, **(about or {}))
        model.register_comm_hook(state, spy)
    optimiser = optimiser_of(model)
    for step in range(steps):
        seen.buckets.append([])
        optimiser.zero_grad(set_to_none=set_to_none)
        begin = time.perf_counter()
        for part in range(micro_batches):
            model.require_backward_grad_sync = part == micro_batches - 1  # what no_sync() sets
            images, labels = batch(dist.get_rank(), step, part)
            loss = F.cross_entropy(model(images), labels)
            if capture and give_loss:
                state.loss(loss)
            loss.backward()
        seen.seconds.append(time.perf_counter() - begin)
        seen.loss.append(loss.item())
        seen.applied.append(
            {
                name: None if tensor.grad is None else tensor.grad.clone()
                for name, tensor in model.module.named_parameters()
            }
        )
        optimiser.step()
    seen.parameters = {name: tensor.detach().clone() for name, tensor in model.module.named_parameters()}
    if capture:
        state.validation("test accuracy", early=0.5, late=0.75, chance=1 / 3)
        state.finish()
    return seen


SCENARIOS = {
    "plain": {
        "about": {"model": "small: a CNN", "data": "noise", "licence": "none", "batch_per_rank": BATCH, "seed": 3}
    },
    "view": {"gradient_as_bucket_view": True, "set_to_none": False},
    "view-none": {"gradient_as_bucket_view": True},
    "accumulate": {"micro_batches": 2, "give_loss": False},
    "accumulate-view": {"micro_batches": 2, "gradient_as_bucket_view": True},
    "half": {"kind": HalfNet},
    "channels-last": {"channels_last": True},
    "unused": {"kind": PartlyUsed, "find_unused_parameters": True},
    "part": {"about": {"layers": ["head.*", "sc?le"], "dtype": "f2"}},
}


def scenarios(size):
    """Two ranks go through all; more ranks through those where their number matters."""
    return (
        SCENARIOS
        if size == 2
        else {name: SCENARIOS[name] for name in ("plain", "view", "view-none", "accumulate-view", "half", "part")}
    )


def refusals(folder):
    """The messages of captures that must fail on every rank, by name."""
    model = DistributedDataParallel(make(), bucket_cap_mb=SMALL_BUCKETS)
    rank = dist.get_rank()
    full = folder / "full"
    full.mkdir(exist_ok=True)
    (full / "note").write_text("mine")
    dist.barrier()

    def message(action):
        try:
            action()
        except CaptureError as error:
            return str(error)
        return None

    found = {
        "existing": message(lambda: ddp.Capture(model, full, first=0, count=1)),
        "one rank only": message(lambda: ddp.Capture(model, folder / "x", first=-1 if rank else 0, count=1)),
        "not DDP": message(lambda: ddp.Capture(model.module, folder / "x", first=0, count=1)),
        "unknown": message(lambda: ddp.Capture(model, folder / "x", first=0, count=1, license="MIT")),
        "no layer": message(lambda: ddp.Capture(model, folder / "x", first=0, count=1, layers=["tail.*"])),
        "no type": message(lambda: ddp.Capture(model, folder / "x", first=0, count=1, dtype="f8")),
        "missing": message(lambda: train(folder / "missing", True, steps=4)),
    }
    state = ddp.Capture(model, folder / "late", first=0, count=1)
    model.register_comm_hook(state, ddp.hook)
    F.cross_entropy(model(batch(rank, 0)[0]), batch(rank, 0)[1]).backward()
    dist.barrier()
    if rank == 0:
        (folder / "late").mkdir()
        (folder / "late" / "note").write_text("mine")
    found["filled meanwhile"] = message(state.finish)
    found["twice"] = message(state.finish)
    return found


def example(folder):
    """The seven lines of docs/python.md in a DDP script, all but the end of the process group."""
    network = DistributedDataParallel(make())
    optimiser = optimiser_of(network)

    def step(loss):
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()

    exec(
        EXAMPLE,
        {
            "model": network,
            "folder": folder / "trace",
            "train": step,
            "criterion": F.cross_entropy,
            "loader": [batch(dist.get_rank(), step) for step in range(3)],
        },
    )


class Sharded(nn.Module):
    """Two linear layers, each a unit that calls its hook as FSDP 1.13 does after its backward pass.

    A model of FullyShardedDataParallel: flat parameters with FSDP's attributes, padded, flattened and
    unsharded gradients, an output shard; the parameters themselves stay whole on every rank.
    """

    SHAPES = {"first": ((5, 4), (5,)), "second": ((3, 5), (3,))}

    def __init__(self, padded, sharded=True):
        super().__init__()
        self.process_group, self.size, self.sharded = dist.group.WORLD, dist.get_world_size(), sharded
        self.reduced, self.hook = {}, None
        for name, shapes in self.SHAPES.items():
            unit = nn.Module()
            unit._handles = [SimpleNamespace(flat_param=self._flat(shapes, padded))]
            setattr(self, name, unit)

    def _flat(self, shapes, padded):
        sizes = [shape.numel() for shape in map(torch.Size, shapes)]
        gap = [3] if padded else []  # FSDP 2.x pads between tensors to align them
        flat = nn.Parameter(torch.randn(sum(sizes) + sum(gap)))
        flat._shapes = tuple(map(torch.Size, shapes))
        if padded:
            flat._fqns = ("_fsdp_wrapped_module.weight", "_fsdp_wrapped_module.bias")
            flat._numels_with_padding = (sizes[0], 3, sizes[1])
            flat._is_padding_mask = (False, True, False)
        else:
            flat._prefixed_param_names, flat._numels = ("weight", "bias"), tuple(sizes)
        return flat

    def flats(self):
        return {name: getattr(self, name)._handles[0].flat_param for name in self.SHAPES}

    def register_comm_hook(self, state, hook):
        self.keep = []
        for name, flat in self.flats().items():
            node = flat.expand_as(flat).grad_fn.next_functions[0][0]
            node.register_hook(lambda *_, name=name, flat=flat: self._reduce(state, hook, name, flat))
            self.keep.append(node)

    def _reduce(self, state, hook, name, flat):
        if not self.sharded:
            hook(state, flat.grad)
            self.reduced[name] = flat.grad.clone()
            return
        gradient, flat.grad = flat.grad.data, None
        chunks = gradient.chunk(self.size)
        padded = F.pad(gradient, [0, self.size * chunks[0].numel() - gradient.numel()])
        output = torch.zeros_like(chunks[0])
        hook(state, padded, output)
        self.reduced[name] = output

    def forward(self, x):
        for flat, shapes in zip(self.flats().values(), self.SHAPES.values()):
            rows = shapes[0][0] * shapes[0][1]
            x = torch.tanh(F.linear(x, flat[:rows].view(shapes[0]), flat[-shapes[1][0] :]))
        return x


def reduce_scatter(output, tensor, group=None):
    """What gloo of PyTorch 1.13 lacks: an all-reduce of which each rank keeps its part."""
    total = tensor.clone()
    dist.all_reduce(total, group=group)
    output.copy_(total.chunk(dist.get_world_size(group))[dist.get_rank(group)])


def sharded(folder, padded, sharded=True, **recorded):
    """Three steps, two of them recorded; returns the model's reductions and own gradients per step."""
    torch.manual_seed(4)
    model = Sharded(padded, sharded)
    state = fsdp.Capture(model, folder / "trace", first=1, count=2, **recorded)
    model.register_comm_hook(state, fsdp.hook)
    seen = SimpleNamespace(reduced=[], own=[], names=list(Sharded.SHAPES))
    for step in range(3):
        images = batch(dist.get_rank(), step)[0].flatten(1)[:, :4]

        def loss():
            return model(images).square().mean()

        seen.own.append([g.clone() for g in torch.autograd.grad(loss(), list(model.flats().values()))])
        state.loss(loss()).backward()
        seen.reduced.append(dict(model.reduced))
        for flat in model.flats().values():
            flat.grad = None
    state.finish()
    return seen


def worker(rank, size, folder):
    faulthandler.dump_traceback_later(LIMIT)  # says where it stood
    signal.alarm(LIMIT + 20)  # when the others have said so, too
    torch.set_num_threads(1)
    if size == 4:
        group.PIECE_BYTES = 4 * size * 100  # rows go to rank 0 in pieces of 100 elements
    dist.init_process_group("gloo", init_method=f"file://{folder}/rendezvous", rank=rank, world_size=size)
    found = {}
    for name, options in scenarios(size).items():
        found[name] = train(folder / name, True, **options)
        found[f"{name} without"] = train(folder / name, False, **options)
    if size == 2:
        found["refusals"] = refusals(folder / "refusals")
        example(folder / "example")
    with mock.patch.object(dist, "_reduce_scatter_base", reduce_scatter), mock.patch.object(
        dist, "reduce_scatter_tensor", reduce_scatter
    ):
        found["sharded"] = sharded(folder / "sharded", padded=False)
        found["sharded-padded"] = sharded(folder / "sharded-padded", padded=True)
        found["sharded-part"] = sharded(folder / "sharded-part", padded=True, layers=["*.bias"], dtype="f2")
    found["unsharded"] = sharded(folder / "unsharded", padded=False, sharded=False)
    with open(folder / f"found-{rank}", "wb") as file:
        pickle.dump(found, file)
    dist.destroy_process_group()


def run(size, folder):
    """Run all scenarios in `size` processes; returns what each rank found: [{scenario: namespace}]."""
    folder = Path(folder)
    (folder / "refusals").mkdir()
    multiprocessing.spawn(worker, (size, folder), nprocs=size)
    return [pickle.loads((folder / f"found-{rank}").read_bytes()) for rank in range(size)]

"""An inference job: every rank writes its predictions into one file, each sample once, in the order of the dataset.

needs: torch
run: torchrun --standalone --nproc-per-node 3 predictions.py photos.stk
prints:
    200 predictions of 200 samples
    dawn/dawn_000.jpg: class … with …
"""

import sys

import stoker
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
source, output = sys.argv[1], "predictions.stk"
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 32 * 32, 4), torch.nn.Softmax(1))
samples = stoker.open(source)

# Without shuffle every sample is delivered once: 200 samples on 3 ranks are 67, 67 and 66.
transform = "Resize((32,32))"
with stoker.Loader(source, 16, transform=transform, dtype="float32", framework="torch") as loader:
    with stoker.Writer(output, {"key": "text", "scores": "float32[4]"}) as writer, torch.no_grad():
        places = {key: i for i, key in enumerate(samples.fields["key"])}
        for batch in loader:
            for key, scores in zip(batch["key"], model(batch["data"])):
                writer.append({"key": key, "scores": scores.numpy()}, index=places[key])
dist.barrier()
if rank == 0:
    stoker.seal(output, order="index")
    predictions = stoker.open(output)
    print(f"{len(predictions)} predictions of {len(samples)} samples")
    first = predictions[0]
    print(f"{first['key']}: class {first['scores'].argmax()} with {first['scores'].max():.2f}")
dist.barrier()
dist.destroy_process_group()

"""Trains with JAX: batches are JAX arrays, and the position is part of the checkpoint.

needs: jax
run: python3 jax_training.py photos.stk
prints:
    epoch 0: 20 steps, loss …
    epoch 1: 20 steps, loss …
    position: epoch 2, cursor 0
"""

import sys

import jax
import jax.numpy as jnp
import stoker


def loss_of(weights, images, labels):
    logits = images.reshape(len(images), -1) @ weights
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(len(labels)), labels])


@jax.jit
def step(weights, images, labels):
    loss, gradient = jax.value_and_grad(loss_of)(weights, images, labels)
    return weights - 0.01 * gradient, loss


transform = "RandomResizedCrop(32),RandomHorizontalFlip,Normalize(imagenet)"
weights = jnp.zeros((3 * 32 * 32, 4))
fields = ["data", "label"]
with stoker.Loader(sys.argv[1], 10, shuffle=True, transform=transform, dtype="float32", framework="jax", fields=fields) as loader:
    for epoch in range(2):
        steps = 0
        for batch in loader:
            weights, loss = step(weights, batch["data"], batch["label"])
            steps += 1
        print(f"epoch {epoch}: {steps} steps, loss {float(loss):.3f}")
    position = loader.state_dict()
    print(f"position: epoch {position['epoch']}, cursor {position['cursor']}")

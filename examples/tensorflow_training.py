"""Trains with Keras on a tf.data pipeline that Stoker fills.

needs: tensorflow
run: python3 tensorflow_training.py photos.stk
prints:
    epoch 0: loss …
    epoch 1: loss …
"""

import sys

import stoker
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(4)])
model.compile(optimizer="sgd", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
options = {"transform": "RandomResizedCrop(32),RandomHorizontalFlip", "layout": "hwc", "dtype": "float32"}

with stoker.Loader(sys.argv[1], 10, shuffle=True, fields=["data", "label"], **options) as loader:
    dataset = stoker.tf_dataset(loader).map(lambda batch: (batch["data"], batch["label"])).prefetch(1)
    for epoch in range(2):
        history = model.fit(dataset, verbose=0)
        print(f"epoch {epoch}: loss {history.history['loss'][0]:.3f}")

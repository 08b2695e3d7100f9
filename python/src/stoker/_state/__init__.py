"""Saving and loading the state of a training job: one safetensors file, written by all ranks."""

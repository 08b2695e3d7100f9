"""Conversion to and from torch, JAX, TensorFlow and Hugging Face datasets. Each is imported only when it is needed."""

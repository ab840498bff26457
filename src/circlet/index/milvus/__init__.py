"""The distributed store: pictures and vectors in a Milvus server, which many machines may share."""

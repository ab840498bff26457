# The page over a folder of pictures, which is mounted read-only:
#   docker build --tag circlet .
#   docker run --publish 127.0.0.1:8000:8000 --volume ~/Pictures:/pictures:ro --volume circlet:/home/circlet/.circlet \
#     --env CIRCLET_TOKEN=a-long-word-of-your-own circlet
FROM python:3.12-slim AS built
WORKDIR /source
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src src
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
COPY --from=built /wheels /wheels
COPY constraints.txt /wheels/
# compose.yaml adds milvus.
ARG EXTRAS=web
RUN pip install --no-cache-dir --constraint /wheels/constraints.txt "$(ls /wheels/*.whl)[${EXTRAS}]" \
    && useradd --create-home circlet
USER circlet
# Made here, so that a volume mounted over it belongs to the user.
RUN mkdir --mode 700 /home/circlet/.circlet
EXPOSE 8000
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import http.client as h, sys; c = h.HTTPConnection('127.0.0.1', 8000, timeout=5); \
    c.request('GET', '/healthz'); sys.exit(c.getresponse().status != 200)"]
CMD ["circlet", "serve", "/pictures", "--host", "0.0.0.0", "--port", "8000"]

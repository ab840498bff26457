# The page over a folder of pictures, which is mounted read-only:
#   docker build --tag circlet .
#   docker run --publish 127.0.0.1:8000:8000 --volume ~/Pictures:/pictures:ro --volume circlet:/home/circlet/.circlet \
#     --env CIRCLET_TOKEN=a-long-word-of-your-own circlet
FROM python:3.12-slim AS built
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
COPY --from=built /wheels /wheels
COPY constraints.txt /wheels/
RUN pip install --no-cache-dir --constraint /wheels/constraints.txt "$(ls /wheels/*.whl)[web]" \
    && useradd --create-home circlet
USER circlet
# Made here, so that a volume mounted over it belongs to the user.
RUN mkdir --mode 700 /home/circlet/.circlet
EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(r.Request('http://127.0.0.1:8000/api/v1/health', \
    headers={'Authorization': 'Bearer ' + os.environ.get('CIRCLET_TOKEN', '')}))"]
CMD ["circlet", "serve", "/pictures", "--host", "0.0.0.0", "--port", "8000"]

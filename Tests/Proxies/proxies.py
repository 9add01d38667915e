"""nginx and Caddy in front of a server, as their recipes in Scripts/deploy have them."""

import base64
import contextlib
import pathlib
import random
import socket
import subprocess
import time
import urllib.parse

DEPLOY = pathlib.Path(__file__).resolve().parents[2] / "Scripts" / "deploy"
# Browsers find this machine by it.
SECURE_HOST = "books.localhost"
USER, PASSWORD = "anna", "secret-of-anna"
WAIT_SECONDS = 20
# The ports that tests have got.
given = set()


def free_port():
    """A port of the loopback interface that nothing uses, and that the system gives to nobody else."""
    while True:
        # Below the ports for which nobody asks by number (net.ipv4.ip_local_port_range).
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            if port not in given:
                given.add(port)
                return port


def nginx(folder, server, port, keeps_path, has_login):
    """The command and the configuration of nginx, with the recipe's location."""
    recipe = (DEPLOY / "nginx.conf").read_text()
    mapping, location = recipe[recipe.index("map "):].split("\n\n", 1)
    location = location.replace("http://127.0.0.1:8080/", f"http://127.0.0.1:{server}{'' if keeps_path else '/'}")
    (folder / "users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
    login = f'auth_basic "Books"; auth_basic_user_file {folder}/users; ' if has_login else ""
    if has_login:
        location = location.replace("    proxy_http", "    proxy_set_header Remote-User $remote_user;\n    proxy_http")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; user root; pid {folder}/pid; error_log {folder}/errors; events {{}}\n"
        f"http {{ access_log off; {folders}\n{mapping}\n"
        f"server {{ listen 127.0.0.1:{port}; {login}\n{location}\n}} }}\n")
    return ["nginx", "-c", str(folder / "nginx.conf")]


def caddy(folder, server, port, keeps_path, has_login):
    """The command and the configuration of Caddy."""
    route = "handle /books/*" if keeps_path else "handle_path /books/*"
    login = user = ""
    if has_login:
        user = "header_up Remote-User {http.auth.user.id}\n"
        command = ["caddy", "hash-password", "--plaintext", PASSWORD]
        hashed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        login = f"basicauth {{\n{USER} {hashed}\n}}\n"
    (folder / "Caddyfile").write_text(
        "{\nadmin off\nauto_https off\n}\n" f"http://127.0.0.1:{port} {{\n{login}redir /books /books/\n{route} {{\n"
        "request_body {\nmax_size 1MiB\n}\n" f"reverse_proxy 127.0.0.1:{server} {{\n{user}}}\n}}\n}}\n")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def secure_caddy(folder, server, port, keeps_path, has_login):
    """The command and the configuration of Caddy with an authority of its own, for the recipe's home network."""
    recipe = (DEPLOY / "Caddyfile").read_text()
    site = recipe[recipe.index("# nas.local {"):].split("\n\n", 1)[0].replace("# ", "").replace("#", "")
    site = site.replace("nas.local", f"https://{SECURE_HOST}:{port}").replace(":8080", f":{server}")
    (folder / "Caddyfile").write_text(
        "{\nadmin off\nskip_install_trust\nauto_https disable_redirects\ndefault_bind 127.0.0.1\n"
        f"servers {{\nprotocols h1 h2\n}}\n}}\n{site}\n")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


KINDS = {"nginx": nginx, "caddy": caddy, "secure": secure_caddy}
# What Caddy has stored below its home folder.
AUTHORITY = ".local/share/caddy/pki/authorities/local"


@contextlib.contextmanager
def proxied(kind, folder, server, keeps_path, has_login, port=None):
    """A proxy of a kind in front of a server; yields the address of the library."""
    port = port or free_port()
    # The workers of nginx are another user.
    folder.chmod(0o755)
    command = KINDS[kind](folder, server, port, keeps_path, has_login)
    with _running(command, folder, port):
        yield f"https://{SECURE_HOST}:{port}/" if kind == "secure" else f"http://127.0.0.1:{port}/books/"


@contextlib.contextmanager
def logged_in(url, folder, port):
    """An address at which all requests have the login of the proxy at another one, as in a browser that knows it."""
    token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    address = urllib.parse.urlsplit(url)
    file = folder / "logged-in"
    file.write_text(
        "{\nadmin off\nauto_https off\n}\n" f"http://127.0.0.1:{port} {{\nreverse_proxy {address.netloc} {{\n"
        f'header_up Authorization "Basic {token}"\n}}\n}}\n')
    with _running(["caddy", "run", "--config", str(file), "--adapter", "caddyfile"], folder, port):
        yield f"http://127.0.0.1:{port}{address.path}"


@contextlib.contextmanager
def _running(command, folder, port):
    """A proxy that accepts connections, until the end of a `with`."""
    environment = {"HOME": str(folder), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        _await(port, process)
        yield
    finally:
        process.terminate()
        process.wait(WAIT_SECONDS)


def _await(port, process):
    """Waits until the proxy accepts connections."""
    until = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < until:
        assert process.poll() is None, process.stderr.read()
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"nothing accepts connections on port {port}")

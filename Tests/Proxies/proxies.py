"""nginx and Caddy in front of a server, as their recipes in Scripts/deploy have them."""

import base64
import contextlib
import pathlib
import random
import re
import socket
import subprocess
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "Scripts" / "deploy"
ARTICLE = ROOT / "Sources" / "Commands" / "Commands.docc" / "Proxies.md"
# Browsers find this machine by it.
SECURE_HOST = "books.localhost"
USER, PASSWORD = "anna", "secret-of-anna"
# What the login of a proxy guards: every path, or those at which readers without a link begin.
EVERYTHING, BEGINNING = "everything", "beginning"
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


def article(language):
    """The recipes for a login of a proxy in the article."""
    return re.findall(rf"```{language}\n(.*?)```", ARTICLE.read_text(), re.DOTALL)


def nginx(folder, server, port, keeps_path, login):
    """The command and the configuration of nginx, with the recipe's location."""
    recipe = (DEPLOY / "nginx.conf").read_text()
    mapping, location = recipe[recipe.index("map "):].split("\n\n", 1)
    location = location.replace("http://127.0.0.1:8080/", f"http://127.0.0.1:{server}{'' if keeps_path else '/'}")
    (folder / "users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
    guard = ""
    if login == BEGINNING:
        maps, guard = article("nginx")
        mapping += maps
    elif login:
        guard = "auth_basic Books;\nauth_basic_user_file /etc/nginx/books.users;\n" \
            "proxy_set_header Remote-User $remote_user;\n"
    guard = guard.replace("/etc/nginx/books.users", str(folder / "users"))
    location = location.replace("    proxy_http", f"{guard}    proxy_http")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; user root; pid {folder}/pid; error_log {folder}/errors; events {{}}\n"
        f"http {{ access_log off; {folders}\n{mapping}\n"
        f"server {{ listen 127.0.0.1:{port};\n{location}\n}} }}\n")
    return ["nginx", "-c", str(folder / "nginx.conf")]


def caddy(folder, server, port, keeps_path, login):
    """The command and the configuration of Caddy."""
    route = "handle /books/*" if keeps_path else "handle_path /books/*"
    site = "reverse_proxy 127.0.0.1:8080\n"
    if login:
        recipe, = article("caddy")
        site = recipe.split("{\n", 1)[1].rsplit("}", 1)[0].replace("HASH", hashed())
        guarded = "/books/ /books/api/login" if keeps_path else "/ /api/login"
        site = site.replace("/ /api/login", guarded if login == BEGINNING else "*")
    (folder / "Caddyfile").write_text(
        "{\nadmin off\nauto_https off\n}\n" f"http://127.0.0.1:{port} {{\nredir /books /books/\n{route} {{\n"
        "request_body {\nmax_size 1MiB\n}\n" f"{site.replace(':8080', f':{server}')}\n}}\n}}\n")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def hashed():
    """The password as Caddy stores it."""
    command = ["caddy", "hash-password", "--plaintext", PASSWORD]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def secure_caddy(folder, server, port, keeps_path, login):
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
def proxied(kind, folder, server, keeps_path, login=None, port=None):
    """A proxy of a kind in front of a server; yields the address of the library."""
    port = port or free_port()
    # The workers of nginx are another user.
    folder.chmod(0o755)
    command = KINDS[kind](folder, server, port, keeps_path, login)
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

"""What nginx, Caddy and HAProxy say of the recipes in Scripts/deploy and in the articles."""

import pathlib
import re
import subprocess

import pytest

from proxies import ARTICLE, DEPLOY, article, hashed

CLUSTER = ARTICLE.parent / "Cluster.md"


def caddy(text, folder):
    """Expects that Caddy takes a configuration."""
    file = folder / "Caddyfile"
    file.write_text(text)
    accept("caddy", "validate", "--adapter", "caddyfile", "--config", file)


def nginx(text, folder):
    """Expects that nginx takes what stands in its `http` block."""
    file = folder / "nginx.conf"
    file.write_text(f"pid {folder}/pid; events {{}} http {{ access_log off;\n{text}\n}}\n")
    accept("nginx", "-t", "-c", file)


def haproxy(text, folder):
    """Expects that HAProxy takes a configuration."""
    file = folder / "haproxy.cfg"
    file.write_text(f"defaults\n    timeout connect 5s\n    timeout client 60s\n    timeout server 60s\n{text}")
    accept("haproxy", "-c", "-f", file)


def accept(*command):
    """Expects that a command has no objection."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    said = done.stdout + done.stderr
    assert done.returncode == 0 and "[WARNING]" not in said and "[warn]" not in said, said


def test_caddy_takes_each_site_of_the_recipe(tmp_path):
    recipe = (DEPLOY / "Caddyfile").read_text()
    caddy(recipe, tmp_path)
    # The others are comments that begin with a name of a host.
    sites = re.findall(r"^# \S+ \{\n(?:#.*\n)*?# \}$", recipe, re.MULTILINE)
    assert len(sites) == 2
    for site in sites:
        caddy(re.sub(r"^# ?", "", site, flags=re.MULTILINE) + "\n", tmp_path)


def test_nginx_takes_the_recipe(tmp_path):
    mapping, location = (DEPLOY / "nginx.conf").read_text().split("\n}\n", 1)
    nginx(f"{mapping}\n}}\nserver {{ listen 127.0.0.1:8081;\n{location}\n}}", tmp_path)


def test_caddy_takes_the_login_of_the_article_on_proxies(tmp_path):
    site, = article("caddy")
    caddy(site.replace("HASH", hashed()), tmp_path)


@pytest.mark.parametrize("take", [nginx, caddy, haproxy])
def test_a_balancer_takes_the_recipe_of_the_article_on_clusters(take, tmp_path):
    text = re.search(rf"```{take.__name__}\n(.*?)```", CLUSTER.read_text(), re.DOTALL)[1]
    # Certificates are those of the reader.
    take(re.sub(r" ssl(?: crt \S+)?(?=[;\n])", "", re.sub(r" *ssl_\S+ .*;\n", "", text)), tmp_path)

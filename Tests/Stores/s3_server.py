"""Serves an S3 API on an odd port of this machine, for tests.

Usage: Scripts/python Tests/Stores/s3_server.py

Verifies signatures. Prints one line of JSON with the port and credentials, then obeys lines on the
standard input: `stop` refuses connections, `start` accepts them again with all data, `fail N` answers
the next N requests with 503, `break KEY` damages an object. Each is answered with a line. Ends with
its input.
"""

import json
import logging
import os
import sys
import threading

# After the requests that create the user, every request needs a valid signature.
SETUP_REQUESTS = 6
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = str(SETUP_REQUESTS)

import boto3  # noqa: E402
from moto.server import DomainDispatcherApplication, create_backend_app  # noqa: E402
from werkzeug.serving import WSGIRequestHandler, make_server  # noqa: E402

BUCKET = "lectern-tests"
EVERYTHING = json.dumps(
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
)


class Handler(WSGIRequestHandler):
    """Keeps connections open, as other servers do."""

    protocol_version = "HTTP/1.1"


class Faults:
    """Answers some requests with 503 instead of passing them on."""

    def __init__(self, application):
        self.application = application
        self.left = 0

    def __call__(self, environment, start):
        if self.left > 0:
            self.left -= 1
            start("503 Slow Down", [("Content-Length", "0"), ("Connection", "close")])
            return [b""]
        return self.application(environment, start)


class Server:
    """The server, which can be stopped and started again on the same port."""

    def __init__(self):
        self.faults = Faults(DomainDispatcherApplication(create_backend_app))
        self.port = 0
        while self.port % 2 == 0:
            self.port = 0
            self.start()
            if self.port % 2 == 0:
                self.stop()

    def start(self):
        self.server = make_server(
            "127.0.0.1", self.port, self.faults, threaded=True, request_handler=Handler
        )
        self.server.daemon_threads = True
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def client(self, name, key="setup", secret="setup", token=None):
        return boto3.client(
            name,
            region_name="us-east-1",
            endpoint_url=f"http://127.0.0.1:{self.port}",
            aws_access_key_id=key,
            aws_secret_access_key=secret,
            aws_session_token=token,
        )


def credentials(server):
    """Creates a user, a role and a bucket; returns the keys of the user and of a session."""
    iam = server.client("iam")
    iam.create_user(UserName="lectern")
    iam.put_user_policy(UserName="lectern", PolicyName="all", PolicyDocument=EVERYTHING)
    key = iam.create_access_key(UserName="lectern")["AccessKey"]
    trust = EVERYTHING.replace('"Resource": "*"', '"Principal": {"AWS": "*"}')
    role = iam.create_role(RoleName="lectern", AssumeRolePolicyDocument=trust)["Role"]
    iam.put_role_policy(RoleName="lectern", PolicyName="all", PolicyDocument=EVERYTHING)
    server.client("s3").create_bucket(Bucket=BUCKET)
    pair = (key["AccessKeyId"], key["SecretAccessKey"])
    session = server.client("sts", *pair).assume_role(
        RoleArn=role["Arn"], RoleSessionName="tests"
    )["Credentials"]
    return {
        "port": server.port,
        "bucket": BUCKET,
        "key": pair[0],
        "secret": pair[1],
        "session": [session["AccessKeyId"], session["SecretAccessKey"], session["SessionToken"]],
    }


def main():
    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    server = Server()
    facts = credentials(server)
    print(json.dumps(facts), flush=True)
    for line in sys.stdin:
        words = line.split()
        if words == ["stop"]:
            server.stop()
        elif words == ["start"]:
            server.start()
        elif words[0] == "fail":
            server.faults.left = int(words[1])
        elif words[0] == "break":
            client = server.client("s3", facts["key"], facts["secret"])
            client.put_object(Bucket=BUCKET, Key=words[1], Body=b"damaged")
        print("done", flush=True)


main()

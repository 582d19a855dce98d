# SPDX-License-Identifier: BSD-2-Clause
"""A browser for tests: headless Chromium driven by ChromeDriver over WebDriver (https://www.w3.org/TR/webdriver2/), with nothing but the
standard library. Every message of the console and every network request of a page is kept.

browser.py COMMAND...: runs a command whose Browsers are windows of one Chromium, each with nothing left of those before. One
Chromium takes more than a second of processor time to start and to end."""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--hide-scrollbars"]
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Right": "\ue014", "Left": "\ue012", "End": "\ue010", "Home": "\ue011"}

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # the driver is on this machine


def checker(name):
    """Returns a function that prints one check of the page of that name: the subject, whether it is good, what was seen."""
    def check(what, good, seen=""):
        print(f"{'ok' if good else 'not ok'} {name}: {what}" + (f" ({seen})" if seen != "" else ""))
    return check


SHARED = "BROWSER_SHARED"  # in the environment: "URL SESSION" of the driver


class Browser:
    def __init__(self, width=1280, height=900):
        self.first = None
        if SHARED in os.environ:
            self.url, self.session = os.environ[SHARED].split()
            self.first = self.do("GET", "/window")
            self.go_to(self.do("POST", "/window/new", {"type": "window"})["handle"])
            self.console()
            self.requests()
            return
        self.folder = tempfile.mkdtemp()
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.url = None
        for line in self.driver.stdout:
            if "successfully on port" in line:
                self.url = "http://127.0.0.1:" + line.rsplit("port", 1)[1].strip(" .\n")
                break
        wanted = {"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": FLAGS + [f"--user-data-dir={self.folder}", f"--window-size={width},{height}"]}}}}
        self.session = self.call("POST", "/session", wanted)["sessionId"]

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        try:
            with DIRECT.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"].partition("\n#0 ")[0]) from None

    def do(self, method, path, body=None):
        return self.call(method, f"/session/{self.session}{path}", body)

    def go_to(self, window):
        self.do("POST", "/window", {"handle": window})

    def open(self, url):
        self.do("POST", "/url", {"url": url})

    def show(self, page, check):
        """Opens a file as most readers do, which asks for no other."""
        self.resize(1280, 900)
        self.colours("light")
        self.open("about:blank")
        self.requests()
        url = "file://" + os.path.abspath(page)
        self.open(url)
        asked = [one for one in self.requests() if not one.startswith("data:")]
        check("no request but for the file itself", asked == [url], asked[1:])

    def rows(self, table):
        """The texts of a table's cells."""
        return self.script("return [...document.querySelectorAll(`[data-table=${arguments[0]}] tbody tr`)].map(tr => [...tr.cells].map(td => td.textContent))", table)

    def script(self, text, *args):
        """The value of a function body."""
        return self.do("POST", "/execute/sync", {"script": text, "args": list(args)})

    def keys(self, *names):
        """Presses and releases keys, one after the other, in the focused element."""
        actions = []
        for name in names:
            actions += [{"type": "keyDown", "value": KEYS.get(name, name)}, {"type": "keyUp", "value": KEYS.get(name, name)}]
        self.do("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def click(self, selector):
        element = self.do("POST", "/element", {"using": "css selector", "value": selector})
        self.do("POST", f"/element/{next(iter(element.values()))}/click", {})

    def resize(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        time.sleep(0.3)

    def cdp(self, command, **params):
        return self.do("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def colours(self, scheme):
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path, whole=False):
        """For human inspection: only with SCREENSHOTS=yes in the environment, because screenshots take most of the time."""
        if not os.environ.get("SCREENSHOTS"):
            return
        time.sleep(0.2)  # for animations
        picture = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **({"clip": self.whole()} if whole else {}))["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture))

    def whole(self):
        height = self.script("return document.documentElement.scrollHeight")
        return {"x": 0, "y": 0, "width": self.script("return innerWidth"), "height": min(height, 6000), "scale": 1}

    def pdf(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.cdp("Page.printToPDF", printBackground=True)["data"]))

    def console(self):
        return [f"{entry['level']}: {entry['message']}" for entry in self.do("POST", "/se/log", {"type": "browser"})]

    def requests(self):
        """Addresses that the pages asked for since the last call."""
        found = []
        for entry in self.do("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found

    def close(self):
        if self.first:
            self.script("try { localStorage.clear(); } catch { /* a page without any */ }")
            self.do("DELETE", "/window")
            self.go_to(self.first)
            return
        try:
            self.do("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            shutil.rmtree(self.folder, ignore_errors=True)


def main():
    browser = Browser()
    try:
        return subprocess.run(sys.argv[1:], env=dict(os.environ, **{SHARED: f"{browser.url} {browser.session}"}), check=False).returncode
    finally:
        browser.close()


if __name__ == "__main__":
    sys.exit(main())

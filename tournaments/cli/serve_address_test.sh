#!/usr/bin/env bash
# The addresses that croupier serve prints can be opened: by another machine where it listens at all
# addresses, and that of an address with colons as well. serve_address_test.sh CROUPIER
set -uo pipefail
croupier=$1
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# address HOST: what a server prints that listens there; it has answered there, too.
address() {
    rm -f told
    "$croupier" serve --port 0 --host "$1" --folder kept --json >told 2>err &
    local server=$! found
    while ! [ -s told ] && kill -0 "$server" 2>/dev/null; do sleep 0.05; done
    found=$(sed -n 's/.*"address":"\([^"]*\)".*/\1/p' told)
    # Names of machines are not known everywhere: only their place in the address is looked at.
    python3 - "$found" "$1" <<'PYTHON'
import http.cookiejar, sys, urllib.parse, urllib.request
found, host = sys.argv[1:]
url = urllib.parse.urlsplit(found)
at = "127.0.0.1" if host == "0.0.0.0" else "[::1]" if host in ("::", "::1") else host
browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
page = browser.open(f"http://{at}:{url.port}/?{url.query}", timeout=600)
name = "its name" if url.hostname not in ("0.0.0.0", "::", host) else url.netloc.rsplit(":", 1)[0]
print(page.status, name)
PYTHON
    kill -TERM "$server"
    wait "$server" 2>/dev/null
}

expect "of one address" "200 127.0.0.1" "$(address 127.0.0.1)"
expect "of all addresses" "200 its name" "$(address 0.0.0.0)"
if [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; then
    expect "with colons" "200 [::1]" "$(address ::1)"
    expect "of all addresses with colons" "200 its name" "$(address ::)"
fi

conclude

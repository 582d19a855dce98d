# SPDX-License-Identifier: BSD-2-Clause
# make install, make uninstall: ibsprof, its manual, and its completions in the folders where the shells of Debian look for them.
# make dist: the files of a release (tools/dist). ./dev dist installs what that needs.
PREFIX ?= /usr/local
INSTALLED := bin/ibsprof share/man/man1/ibsprof.1 share/bash-completion/completions/ibsprof \
        share/zsh/vendor-completions/_ibsprof share/fish/vendor_completions.d/ibsprof.fish
install: ibsprof
	install -D -m 755 $(B)/tools/ibsprof $(DESTDIR)$(PREFIX)/bin/ibsprof
	install -D -m 644 $(B)/tools/ibsprof.1 $(DESTDIR)$(PREFIX)/share/man/man1/ibsprof.1
	install -D -m 644 tools/ibsprof/ibsprof.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/ibsprof
	install -D -m 644 tools/ibsprof/ibsprof.zsh $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_ibsprof
	install -D -m 644 tools/ibsprof/ibsprof.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/ibsprof.fish
uninstall:
	rm -f $(INSTALLED:%=$(DESTDIR)$(PREFIX)/%)
.PHONY: dist
dist:
	tools/dist

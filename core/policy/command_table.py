"""Programs that run what their arguments say: shells, interpreters, and programs that start another one.

A table of data; ``core.policy.command_code`` reads it. Whoever knows a program that isn't here adds its name and nothing else:
where in doubt a kind that takes any argument for code, since that costs a person an ``--allow`` and nothing more.
"""

from collections.abc import Mapping

from core.base.late_dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRunner:
    """A kind of program.

    Attributes:
        names: Its programs, in lower case, without versions and endings.
        alone: It takes code from the folder that it runs in, without being given any argument.
        switches: Arguments that give it code; empty where any argument does that isn't harmless.
        bundled: A switch of one letter, or of one that is doubled, may stand among others behind one dash.
        dashless: The first argument is switches even without a dash.
        harmless: Arguments that give no code where others do, with how many values each has behind it.
        by_name: It is another program under another name, and only under its own is what is said here.
    """

    title: str
    names: frozenset[str]
    alone: bool = False
    switches: tuple[str, ...] = ()
    bundled: bool = False
    dashless: bool = False
    harmless: Mapping[str, int] = field(default_factory=dict[str, int])
    by_name: bool = False


def _split(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _list(switches: str) -> tuple[str, ...]:
    return tuple(switches.split())


HARMLESS: Mapping[str, int] = dict.fromkeys(("--version", "--help", "--usage", "-h", "-?", "/?"), 0)
"""What gives no program code."""

EVERYWHERE = _list(
    "--gtk-module --gtk-modules -platformpluginpath --load-extension --js-flags --gpu-launcher --renderer-cmd-prefix"
    " --utility-cmd-prefix --ppapi-plugin-launcher --browser-subprocess-path --nacl-loader-cmd-prefix"
    " --zygote-cmd-prefix --remote-debugging-port --remote-debugging-pipe --remote-debugging-address --inspect"
    " --inspect-brk"
)
"""Switches of toolkits and browsers, which any program may be built on, that load code or start a program."""

SHELLS = CodeRunner(
    title="a shell",
    names=_split(
        "sh bash rbash dash ash zsh ksh ksh93 mksh lksh pdksh oksh yash posh rc es fish csh tcsh nu elvish xonsh ion"
        " pwsh powershell powershell_ise cmd command bash-static zsh-static"
    ),
)

INTERPRETERS = CodeRunner(
    title="an interpreter",
    names=_split(
        "python pythonw pypy ipython bpython jupyter micropython perl raku ruby irb jruby node nodejs deno bun qjs d8 js"
        " php php-cgi lua luajit lua-any tclsh jimsh wish expect awk gawk mawk nawk original-awk goawk sed gsed ed red dc"
        " bc gdb lldb java javaw jshell groovy scala kotlin mono mono-sgen dotnet csi csharp fsi dotnet-script r rscript"
        " julia octave octave-cli guile racket gracket scheme csi mit-scheme sbcl clisp ecl gcl abcl emacs-lisp ghci"
        " runghc runhaskell erl escript elixir iex ocaml ocamlrun utop swift gforth m4 gm4 gnuplot maxima gp sage"
        " osascript jsc jxa wscript cscript mshta rundll regsvr msbuild installutil wmic forfiles msiexec hh pcalua"
        " qmlscene qml gjs gjs-console cjs cjs-console seed electron nw appium wine wine64 wine-stable qemu-user"
        " lli jdb jrunscript pdb pydoc prove cpan perldoc perlthanks perlbug idle slsh sash wpexec"
        " sqlite sqlite3 psql mysql mariadb mongosh redis-cli autoit autohotkey xdotool ydotool vbs nsis"
    ),
)

STARTERS = CodeRunner(
    title="a program that starts others",
    names=_split(
        "env printenv nice ionice timeout gtimeout setsid nohup stdbuf unbuffer chrt taskset numactl time watch entr"
        " parallel sem xargs gxargs sudo sudoedit su doas pkexec run0 runuser runas gosu setpriv capsh chroot unshare"
        " nsenter bwrap firejail proot fakeroot fakechroot flock lckdo strace ltrace perf valgrind rr script scriptreplay"
        " rlwrap dbus-run-session dbus-launch dbus-send gdbus busctl qdbus systemd-run systemd-nspawn systemctl"
        " systemd-inhibit at batch crontab start-stop-daemon daemonize daemon setuidgid softlimit chpst envdir envuidgid"
        " screen tmux byobu zellij abduco dtach ssh slogin sshpass autossh mosh telnet rsh nc ncat netcat socat docker"
        " podman nerdctl lxc lxc-attach lxc-execute kubectl flatpak-spawn flatpak toolbox distrobox machinectl xvfb-run"
        " xinit startx catchsegv setarch linux32 linux64 i386 x86_64 gtk-launch gio gvfs-open xdg-open exo-open kioclient"
        " kfmclient kde-open kstart kdialog dex dex-autostart run-parts run-one cpulimit prlimit ssh-agent gpg-agent sg"
        " newgrp cage gamescope open start explorer conhost wsl wslhost schtasks psexec open-wsl ld.so gcore rsync make-ssl"
        " choom aa-exec cgexec ip msgexec msgfilter pasuspender padsp logsave memusage sotruss heaptrack pg_virtualenv"
        " systemd-socket-activate scriptlive service invoke-rc.d debconf dpkg-architecture sftp scp git-shell torsocks"
        " torify proxychains proxychains4 faketime eatmydata schroot chronic ifne pee tmate openbox gdbtui run-mailcap"
        " sensible-editor sensible-pager sensible-browser gcc g++ cc c++ c89 c99 cpp tcc clang clang++ openvpn"
        " watchexec inotifywait systemd-cat logger-run nsjail catatonit tini dumb-init s6-setuidgid runc crun xdg-terminal-exec"
    ),
)

BUILDERS = CodeRunner(
    title="a program that runs what a folder says",
    names=_split(
        "make gmake bmake remake ninja samu cmake ctest meson npm npx yarn yarnpkg pnpm corepack cargo go gradle gradlew"
        " mvn ant just rake bundle bundler gem pip pipx uv uvx poetry pdm hatch tox nox pytest invoke fab task bazel"
        " bazelisk buck scons waf composer mix rebar3 stack cabal dub nimble zig git hg svn bzr fossil repo ansible"
        " ansible-playbook terraform vagrant packer snakemake nextflow debuild dpkg-buildpackage rpmbuild direnv"
    ),
    alone=True,
)

SEVERAL_IN_ONE = CodeRunner(
    title="several programs in one, shells among them", names=_split("busybox toybox snap"), by_name=True
)

_PLAIN_TERMINAL = {
    **dict.fromkeys(("-geometry", "--geometry", "-title", "--title", "-T", "-t", "-fn", "-fa", "-fs", "-bg", "-fg"), 1),
    **dict.fromkeys(("-name", "-class", "--class", "--working-directory", "--zoom", "--font", "-font", "-display"), 1),
    **dict.fromkeys(("--fullscreen", "--maximize", "-maximized", "-fullscreen", "--tab", "--window", "-hold"), 0),
}

TERMINALS = CodeRunner(
    title="a terminal",
    names=_split(
        "xterm uxterm koi8rxterm lxterm rxvt urxvt urxvtc rxvt-unicode gnome-terminal gnome-terminal.wrapper konsole"
        " xfce4-terminal mate-terminal lxterminal qterminal terminator tilix terminology st stterm kitty kitten alacritty"
        " foot footclient wezterm ghostty hyper x-terminal-emulator cool-retro-term guake yakuake sakura eterm aterm"
        " mlterm pterm ptyxis kgx gnome-console deepin-terminal io.elementary.terminal termit roxterm evilvte wt"
        " windowsterminal iterm iterm2"
    ),
    harmless=_PLAIN_TERMINAL,
)

_TO_EDITORS = _list(
    "+ -c -C -S -s -u -U -e -f -l -x -E -P -H -k -L --cmd --eval --execute --funcall --load --script --batch"
    " --init-directory --pager --html --rcfile --speller --lesskey-file --lesskey-src --remote-expr --remote-send"
    " --listen -eval -load -funcall -script -batch --lua -config-dir --config-dir -a -alternate-editor"
    " --alternate-editor"
)

EDITORS = CodeRunner(
    title="an editor that takes commands",
    names=_split(
        "vi vim nvim gvim mvim vimx view gview vimdiff gvimdiff rview rvim evim neovide nvi elvis vile emacsclient"
        " mg jed joe nano pico kak hx micro less more most lesskey man vim.basic vim.tiny vim.gtk vim.gtk3 vim.nox"
    ),
    switches=_TO_EDITORS,
    bundled=True,
)

EMACS = CodeRunner(
    title="an editor that takes commands",
    names=_split("emacs emacs-gtk emacs-nox emacs-lucid emacs-pgtk xemacs"),
    switches=_TO_EDITORS,
)

_PLAYER_LISTS = _list("--script --scripts --script-opt --script-opts --ytdl-raw-options --vf --af")
"""Options of mpv that are lists, and have other names for changing them."""

OTHERS = (
    CodeRunner(
        title="a program that can start others",
        names=_split("find gfind bfs"),
        switches=_list("-exec -execdir -ok -okdir"),
    ),
    CodeRunner(
        title="a program that can start others",
        names=_split("fd fdfind"),
        switches=_list("-x -X --exec --exec-batch"),
        bundled=True,
    ),
    CodeRunner(
        title="a program that can start others",
        names=_split("tar gtar bsdtar star"),
        switches=_list(
            "-I -F --to-command --checkpoint-action --use-compress-program --info-script --new-volume-script"
            " --rmt-command --rsh-command"
        ),
        bundled=True,
        dashless=True,
    ),
    CodeRunner(
        title="a program that can start others",
        names=_split("zip unzip cpio sort split rg curl wget tcpdump nmap dpkg apt apt-get"),
        switches=_list(
            "-TT --unzip-command --rsh-command --compress-program --filter --pre -z --script --postrotate-command -K"
            " --config --execute -e --use-askpass -o --option"
        ),
        bundled=True,
    ),
    CodeRunner(
        title="a media player that can run scripts",
        names=_split("mpv vlc cvlc nvlc qvlc celluloid smplayer mplayer mplayer2 mpg123 ffplay ffmpeg totem kodi umpv"),
        switches=(
            *_list(
                "--script --scripts --script-opts --load-scripts --input-conf --input-ipc-server --input-ipc-client"
                " --input-file --include --config-dir --profile --lua-intf --extraintf --intf -I --plugin-path --config"
                " --demuxer-lavf-o --ytdl-raw-options -input --sout --sub-file-paths --player-operation-mode"
                " --input-commands --lavfi-complex"
            ),
            *_PLAYER_LISTS,
            *(f"{each}-{how}" for each in _PLAYER_LISTS for how in ("append", "add", "pre", "set")),
        ),
    ),
    CodeRunner(
        title="a program that can run scripts",
        names=_split(
            "gimp gimp-console blender inkscape libreoffice soffice loffice lowriter localc scribus freecad krita openscad"
            " audacity xed gedit geany pluma kate code code-insiders codium subl atom idea pycharm calibre-debug rhythmbox"
            " weechat irssi mutt neomutt mail mailx gnumeric ghostscript gs dia qgis qgis_process paraview"
        ),
        switches=_list(
            "-b --batch --batch-interpreter -P --python --python-expr --python-script --python-text --actions --shell"
            " -py --script -s -c --console --command -e --eval --exec --run -r --code macro: vnd.sun.star.script:"
            " -env: --infilter --convert-to --extensions-dir --extensionDevelopmentPath --install-extension --profile"
            " -f -dNOSAFER"
        ),
    ),
)

CODE_RUNNERS: tuple[CodeRunner, ...] = (
    *(SHELLS, INTERPRETERS, STARTERS, BUILDERS, SEVERAL_IN_ONE, TERMINALS, EDITORS, EMACS),
    *OTHERS,
)

READ_BY_SHELL = (".bat", ".cmd")
"""Endings of programs whose arguments a shell reads, too."""

SCRIPT_ENDINGS = _list(
    ".bat .cmd .ps1 .psm1 .vbs .vbe .js .jse .wsf .wsh .hta .msc .scf .reg .lnk .url .desktop .jar .py .pyw .pl .rb"
    " .lua .sh .bash .zsh .command"
)
"""Endings of files that are code for somebody else: one that is named by its path is run, not started."""

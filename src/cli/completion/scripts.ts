import {FILES} from './complete.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What each shell has to be told: it hands over the line, and shows what comes back. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
	// bash takes a colon for the end of a word, so what stands before the last one must not be given back.
	bash: `_svc_cli() {
	local line="\${COMP_LINE:0:COMP_POINT}" candidate
	local current="\${line##*[[:space:]]}"
	local before="\${current%"\${current##*:}"}"
	COMPREPLY=()
	while IFS=$'\\t' read -r candidate _; do
		if [ "$candidate" = ${FILES} ]; then compopt -o default; return; fi
		COMPREPLY+=("\${candidate#"$before"}")
	done < <(svc-cli complete "$line" 2>/dev/null)
}
complete -F _svc_cli svc-cli
`,
	zsh: `#compdef svc-cli
_svc_cli() {
	local value summary
	local -a values summaries
	while IFS=$'\\t' read -r value summary; do
		if [[ $value == ${FILES} ]]; then _files; return; fi
		values+=("$value")
		summaries+=("$value  $summary")
	done < <(svc-cli complete "$LBUFFER" 2>/dev/null)
	compadd -l -d summaries -a values
}
if [[ $funcstack[1] == _svc_cli ]]; then _svc_cli "$@"; else compdef _svc_cli svc-cli; fi
`,
	fish: `function __svc_cli_complete
	set -l candidates (svc-cli complete (commandline -cp) 2>/dev/null)
	if test "$candidates[1]" = ${FILES}
		__fish_complete_path (commandline -ct)
	else
		printf '%s\\n' $candidates
	end
end
complete -c svc-cli -f -a '(__svc_cli_complete)'
`,
};

/** What a person puts where, so that the next shell knows it. */
export function instructions(shell: Shell, scriptFile: string): string {
	switch (shell) {
		case 'bash':
			return `echo '. "${scriptFile}"' >> ~/.bashrc; . ~/.bashrc`;
		case 'zsh':
			return `echo 'autoload -U compinit; compinit; . "${scriptFile}"' >> ~/.zshrc; . ~/.zshrc`;
		case 'fish':
			return `mkdir -p ~/.config/fish/completions; cp "${scriptFile}" ~/.config/fish/completions/svc-cli.fish`;
	}
}

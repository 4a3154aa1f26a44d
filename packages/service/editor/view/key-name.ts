const isMac = navigator.platform.startsWith('Mac')

const macSigns: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', ArrowUp: '↑', ArrowDown: '↓' }
const words: Readonly<Record<string, string>> = { Mod: 'Ctrl', ArrowUp: '↑', ArrowDown: '↓' }

/** A shortcut such as `Mod+Shift+Z` in the notation of this system. */
export const keyName = (keys: string): string =>
  keys
    .split('+')
    .map((key) => (isMac ? macSigns : words)[key] ?? key)
    .join(isMac ? '' : '+')

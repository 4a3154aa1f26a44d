/** Whether shortcuts go with Cmd, as on macOS, or with Ctrl. */
export const isMac = navigator.userAgent.includes('Mac')

/** The name of that key, as it is written on it. */
export const modifier = isMac ? '⌘' : 'Ctrl'

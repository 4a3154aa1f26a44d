/** The sections of the window, in the order of the sidebar, the menu and their shortcuts. */
export const sections = ['materials', 'callbacks', 'fonts', 'publish', 'health', 'settings'] as const
export type Section = (typeof sections)[number]

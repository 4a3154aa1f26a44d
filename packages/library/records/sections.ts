/** The sections of the window, in the order of the sidebar, the menu and their shortcuts. */
export const sections = ['review', 'materials', 'publish', 'fonts', 'delivery', 'settings'] as const
export type Section = (typeof sections)[number]

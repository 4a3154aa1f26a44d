/**
 * Every command of the window with its keys, the first of which is shown. `Mod` is Cmd on macOS and Ctrl elsewhere;
 * keys without a modifier work outside of text fields only. Titles are in the texts of the feature that runs the
 * command.
 */
export const shortcuts = {
  // The window
  'palette.open': ['Mod+K', 'Mod+P'],
  'sheet.open': ['?', 'Mod+/'],
  'help.open': ['F1'],
  'help.about': [],
  'help.log': [],
  'help.diagnostics': [],
  'help.updates': [],
  'help.report': [],
  'settings.open': ['Mod+,'],
  'tasks.open': ['Mod+Shift+T'],
  'find.here': ['Mod+F'],
  'find.everywhere': ['Mod+Shift+F'],
  'view.refresh': ['Mod+R', 'F5'],
  'view.sidebar': ['Mod+B'],
  'view.inspector': ['Mod+I'],
  'pane.next': ['F6'],
  'pane.previous': ['Shift+F6'],
  'go.back': ['Alt+ArrowLeft', 'Meta+['],
  'go.forward': ['Alt+ArrowRight', 'Meta+]'],
  'go.review': ['Mod+1'],
  'go.materials': ['Mod+2'],
  'go.publish': ['Mod+3'],
  'go.fonts': ['Mod+4'],
  'go.delivery': ['Mod+5'],
  'go.settings': ['Mod+6'],
  'theme.light': [],
  'theme.dark': [],
  'theme.system': [],
  'density.compact': [],
  'density.default': [],
  'density.roomy': [],
  'language.en': [],
  'language.ru': [],

  // Sites
  'site.add': [],
  'site.edit': [],
  'site.remove': [],
  'site.sample': [],
  'site.try': [],
  'site.emulator': [],
  'site.conformance': [],
  'saves.refuse': [],
  'saves.refuseAll': [],
  'saves.accept': [],

  // Materials
  'material.new': ['Mod+N'],
  'material.openEditor': ['Mod+O'],
  'material.openForm': ['Mod+Enter'],
  'material.rename': ['F2'],
  'material.tags': ['Mod+T'],
  'material.archive': ['Mod+Shift+A'],
  'material.delete': ['Delete'],
  'material.saveView': [],
  'material.refuse': [],
  'material.copyId': [],
  'material.approve': [],
  'material.reject': [],
  'page.settings': ['Mod+Shift+S'],

  // Material
  'version.review': ['Mod+Shift+Enter'],
  'version.compare': ['C'],
  'version.approve': ['A'],
  'version.reject': ['R'],
  'version.clear': [],
  'version.pin': ['P'],

  // Delivery
  'callback.dryRun': ['Mod+Shift+D'],
  'callback.replay': [],
  'callback.copyReport': ['Mod+Shift+C'],
  'callbacks.showNew': ['Mod+Shift+N'],
  'callbacks.exportCsv': [],
  'callbacks.exportJson': [],
  'callbacks.doctor': [],

  // Fonts

  // Review: the desk
  'review.nextChange': ['J'],
  'review.previousChange': ['K'],
  'review.nextPage': ['N'],
  'review.previousPage': ['P'],
  'review.hold': ['Space'],
  'review.approve': ['Y'],
  'review.publish': ['Shift+Y'],
  'review.approveUnchanged': [],
  'review.reject': ['R'],
  'review.undo': ['Z'],
  'review.comment': ['C'],
  'review.ignore': [],
  'review.files': ['Enter'],
  'review.inTheme': [],
  'review.now': ['1'],
  'review.both': ['2'],
  'review.swipe': ['3'],
  'review.onion': ['4'],
  'review.difference': ['5'],

  // Publish
  'publish.site': ['Mod+Shift+E'],
  'publish.preview': ['Mod+Shift+B'],
  'publish.previewBeside': [],
  'publish.newTarget': [],
  'publish.targets': [],
  'publish.pages': [],
  'publish.design': [],
  'publish.exports': [],
  'page.tags': ['Mod+Shift+L'],
  'page.publish': ['Mod+Shift+P'],
  'page.draft': ['Mod+Shift+U'],
  'page.hide': ['Mod+Shift+H'],
  'export.new': ['Mod+E'],

  // Delivery: the library
  'health.check': [],
  'health.backUp': [],
  'health.restore': [],
  'health.collect': [],
  'health.testCallback': [],
  'health.openFolder': [],
  'listener.start': [],
  'listener.stop': [],
  'library.newComputer': [],
  'library.prune': [],
  'library.erase': [],
  'library.move': [],

  // Settings
  'settings.sites': [],
  'settings.rules': [],
  'settings.webhook': [],
  'settings.developer': [],
  'settings.listener': [],
  'settings.library': [],
  'settings.appearance': [],
  'settings.shortcuts': [],
  'settings.start': [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type CommandId = keyof typeof shortcuts

/** Keys that a person chose instead, by command; an empty list turns a command's keys off. */
export type ChosenShortcuts = Partial<Readonly<Record<CommandId, readonly string[]>>>

export const keysOf = (id: CommandId, chosen: ChosenShortcuts = {}): readonly string[] => chosen[id] ?? shortcuts[id]

const isCommandId = (value: unknown): value is CommandId => typeof value === 'string' && Object.hasOwn(shortcuts, value)

/** Settings keep one shortcut as text for a command; an empty text turns its keys off. */
export const chosenShortcuts = (kept: Readonly<Record<string, string>>): ChosenShortcuts =>
  Object.fromEntries(
    Object.entries(kept)
      .filter(([id]) => isCommandId(id))
      .map(([id, keys]) => [id, keys === '' ? [] : [keys]]),
  )

/** The sections of the window, in the order of the sidebar, the menu and their shortcuts. */
export const sections = ['review', 'materials', 'publish', 'fonts', 'delivery', 'settings'] as const
export type Section = (typeof sections)[number]

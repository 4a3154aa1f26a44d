import type { Section } from '@galley/library/records'
import { z } from 'zod'

/** The tabs of the publish section, in their order. */
export const publishTabs = ['pages', 'design', 'targets', 'exports'] as const
export type PublishTab = (typeof publishTabs)[number]

/** Whether the preview can be beside this tab: those whose forms it follows. */
export const hasPreviewBeside = (tab: PublishTab): boolean => tab === 'pages' || tab === 'design'

/**
 * Every view with its selection. `material` shows one material with its versions and belongs to the materials section.
 */
export const viewSchema = z.discriminatedUnion('screen', [
  z.strictObject({ screen: z.literal('review') }),
  z.strictObject({ screen: z.literal('materials'), materialId: z.string().nullable() }),
  z.strictObject({ screen: z.literal('material'), materialId: z.string(), versionId: z.string().nullable() }),
  z.strictObject({ screen: z.literal('fonts'), snapshotId: z.string().nullable() }),
  z.strictObject({ screen: z.literal('publish'), tab: z.enum(publishTabs), itemId: z.string().nullable() }),
  z.strictObject({ screen: z.literal('delivery'), callbackId: z.string().nullable() }),
  z.strictObject({ screen: z.literal('settings'), section: z.string().nullable() }),
])
export type View = z.infer<typeof viewSchema>
export type ScreenName = View['screen']
export type ViewOf<Screen extends ScreenName> = Extract<View, { readonly screen: Screen }>

/** The initial view of a tab, with nothing selected. */
export const initialTab = (tab: PublishTab): ViewOf<'publish'> => ({ screen: 'publish', tab, itemId: null })

/** The sidebar section of a view. */
export const sectionOf = (view: View): Section => (view.screen === 'material' ? 'materials' : view.screen)

/** The list that a view belongs to, with the same selection. */
export const listOf = (view: View): View =>
  view.screen === 'material' ? { screen: 'materials', materialId: view.materialId } : view

/** The initial view of a section, with nothing selected. */
export function initialViewOf(section: Section): View {
  switch (section) {
    case 'review':
      return { screen: 'review' }
    case 'materials':
      return { screen: 'materials', materialId: null }
    case 'fonts':
      return { screen: 'fonts', snapshotId: null }
    case 'publish':
      return initialTab(publishTabs[0])
    case 'delivery':
      return { screen: 'delivery', callbackId: null }
    case 'settings':
      return { screen: 'settings', section: null }
  }
}

import type { Index } from '@galley/library'
import { fail, ok } from '@galley/wire'

import type { Handlers } from '../../../ipc/calls.ts'
import { unknownSite } from './unknown.ts'

/** Calls about the saved views of a site's lists. */
export function savedViewHandlers(
  { sites, savedViews }: Index,
  changed: () => void,
): Pick<Handlers, 'listViews' | 'saveView' | 'removeView'> {
  return {
    listViews: ({ site }) => savedViews.list(site),
    saveView({ site, view }) {
      if (!sites.find(site)) return unknownSite(site)
      const name = view.name.trim()
      if (name === '') return fail({ code: 'invalid_name', field: 'name' })
      savedViews.put(site, { ...view, name })
      changed()
      return ok(null)
    },
    removeView({ site, subject, name }) {
      savedViews.remove(site, subject, name)
      changed()
      return null
    },
  }
}

import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'

import { lookOfFields } from '../page/looks.ts'

/** Shows the page's own fonts and background on the canvas, as the published page has them on its article. */
export const PageLook = Extension.create({
  name: 'pageLook',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: { attributes: ({ doc }) => ({ class: 'folio', style: lookOfFields(doc.attrs).style ?? '' }) },
    }),
  ],
})

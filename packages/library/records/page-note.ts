import { assertNever } from '@galley/wire'

/** What a bundle changes of a page that its author should know. */
export type PageNote =
  /** The version no longer has the chosen social image. */
  | { readonly code: 'social_image_gone'; readonly image: string }
  /** Parts of a whole document that a page of the site cannot contain, such as `base[href]`. */
  | { readonly code: 'parts_left_out'; readonly parts: readonly string[] }

/** The text of a note, printed after the name of its page on the command line. The window has its own texts. */
export function describePageNote(note: PageNote): string {
  switch (note.code) {
    case 'social_image_gone':
      return `the social image ${note.image} is gone: the first picture is used, if there is one`
    case 'parts_left_out':
      return `a page of the site has no place for these parts of the document, so they are left out: ${note.parts.join(', ')}`
    default:
      return assertNever(note)
  }
}

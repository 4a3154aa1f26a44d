/** Words of the publish section and its tabs. */
export const publish = {
  title: 'Publish',
  tabs: {
    pages: 'Pages',
    design: 'Design',
    exports: 'Exports',
  },
  command: 'Publish: {{tab}}',
} as const

/** The app's two channels between the window and main. */
export const callChannel = 'galley:call'
export const pushChannel = 'galley:push'

/** Whether the device names its main modifier key Command. */
export const isApple = /Mac|iP(hone|ad|od)/.test(navigator.platform);

import { z } from 'zod';
import { url } from './kinds.ts';
import { notes } from './notes.ts';

/** Variables for merchants' developers, who use dues from another machine. */
export const apiAccessVariables = {
  DUES_URL: url('https://dues.example.com', 'http', 'https')
    .default('http://127.0.0.1:3000')
    .register(notes, {
      text: 'The URL of the dues server.',
    }),
  DUES_API_KEY: z.string().optional().register(notes, {
    text: 'The API key of dues listen, trigger and resend.',
    mayBeFile: true,
  }),
};

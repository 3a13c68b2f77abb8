import {z} from 'zod';

export const ConfigurationFileOnWire = z.object({technical_name: z.string()});

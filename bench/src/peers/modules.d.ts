// Packages without types of their own.
declare module 'draco3d';

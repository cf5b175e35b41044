//! From files, directories, archives and streams to pages.

"""The page that collects human judgments: protocols, a study in one file, a server, and what comes out of it."""

// Which words of some texts a table has not met yet.

#pragma once

#include <string>
#include <vector>

#include "lexicon/key_table.hpp"
#include "machine/parallel.hpp"
#include "text/token_source.hpp"

namespace tertium {

// Each once, in the order in which they come.
std::vector<std::string> unknown_words(const TokenSource& texts, const KeyTable& table, unsigned threads, Watch& watch);

}  // namespace tertium

#include "paraphrase/phrase_pairs.hpp"

#include <charconv>

namespace tertium {

bool parse_links(std::string_view line, bool inverse, std::vector<Link>& links) {
    links.clear();
    const char* at = line.data();
    const char* const end = at + line.size();
    while (true) {
        while (at < end && (*at == ' ' || *at == '\t')) ++at;
        if (at == end) return true;
        std::uint32_t first = 0, second = 0;
        const auto [middle, wrong] = std::from_chars(at, end, first);
        if (wrong != std::errc() || middle == end || *middle != '-') return false;
        const auto [next, also_wrong] = std::from_chars(middle + 1, end, second);
        if (also_wrong != std::errc() || (next < end && *next != ' ' && *next != '\t')) return false;
        links.push_back(inverse ? Link{second, first} : Link{first, second});
        at = next;
    }
}

}  // namespace tertium
